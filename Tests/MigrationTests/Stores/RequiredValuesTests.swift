import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum OptionalLots {
  @Model
  final class Lot {
    var number: Int
    var note: String?
    var rating: Int?
    var place: Coordinate?

    init(_ number: Int) {
      self.number = number
    }
  }
}

enum RequiredLots {
  @Model
  final class Lot {
    var number: Int
    var note: String = "none"
    var rating: Int
    var place: Coordinate = Coordinate(latitude: 1, longitude: 2)

    init(_ number: Int, rating: Int) {
      self.number = number
      self.rating = rating
    }
  }
}

enum OptionalDecks {
  @Model
  class Wreck {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Liner: Wreck {
    var decks: Int?

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum RequiredDecks {
  @Model
  class Wreck {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Liner: Wreck {
    var decks: String = "two"

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum OptionalCodes {
  @Model
  final class Crateful {
    @Attribute(.unique) var code: String?

    init(_ code: String?) {
      self.code = code
    }
  }
}

enum RequiredCodes {
  @Model
  final class Crateful {
    @Attribute(.unique) var code: String = "-"

    init(_ code: String) {
      self.code = code
    }
  }
}

@Suite("Optional properties that become required")
struct RequiredValuesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func writeLots(rating: Int?) throws {
    let context = try store.open([OptionalLots.Lot.self]).freshContext()
    for number in 1...3 {
      let lot = OptionalLots.Lot(number)
      lot.rating = number == 3 ? 3 : rating
      if number == 3 {
        lot.note = "three"
        lot.place = Coordinate(latitude: 3, longitude: 4)
      }
      context.insert(lot)
    }
    try context.save()
  }

  @Test("Nil becomes the default value, for a structure as a whole, and other values stay")
  func defaults() throws {
    try writeLots(rating: 1)
    for _ in 0..<2 {
      let lots = try store.open([RequiredLots.Lot.self]).freshContext().all(RequiredLots.Lot.self, by: \.number)
      #expect(lots.map(\.note) == ["none", "none", "three"])
      #expect(lots.map(\.rating) == [1, 1, 3])
      #expect(lots.map(\.place.latitude) == [1, 1, 3])
      #expect(lots.map(\.place.longitude) == [2, 2, 4])
    }
    let required = "SELECT name FROM pragma_table_info('Lot') WHERE \"notnull\" ORDER BY name"
    #expect(try store.texts(required) == ["note", "number", "place_latitude", "place_longitude", "rating"])
  }

  @Test("Without a default value the models without a value are counted, and nothing is changed")
  func withoutDefault() throws {
    try writeLots(rating: nil)
    let error = try expectRefusal(in: store.folder) { try store.open([RequiredLots.Lot.self]) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.property) == ["rating"])
    #expect(issues.first?.entity == "Lot")
    #expect(issues.first?.message.contains("2 models of the store have no value") == true)
    try StoreFiles.execute("UPDATE Lot SET rating = 9 WHERE rating IS NULL", at: store.url)
    let lots = try store.open([RequiredLots.Lot.self]).freshContext().all(RequiredLots.Lot.self, by: \.number)
    #expect(lots.map(\.rating) == [9, 9, 3])
  }

  @Test("Only rows of the class get the default value, also if the type changes")
  func subclass() throws {
    let models: [any PersistentModel.Type] = [OptionalDecks.Wreck.self, OptionalDecks.Liner.self]
    let old = try store.open(models).freshContext()
    old.insert(OptionalDecks.Wreck(1))
    old.insert(OptionalDecks.Liner(2))
    let liner = OptionalDecks.Liner(3)
    liner.decks = 5
    old.insert(liner)
    try old.save()
    let context = try store.open([RequiredDecks.Wreck.self, RequiredDecks.Liner.self]).freshContext()
    #expect(try context.all(RequiredDecks.Liner.self, by: \.number).map(\.decks) == ["two", "5"])
    #expect(try store.texts("SELECT number FROM Wreck WHERE decks IS NULL") == ["1"])
  }

  @Test("A default value that would repeat a unique value is refused, and nothing is changed")
  func unique() throws {
    let old = try store.open([OptionalCodes.Crateful.self]).freshContext()
    for code in ["-", nil] { old.insert(OptionalCodes.Crateful(code)) }
    try old.save()
    let error = try expectRefusal(in: store.folder) { try store.open([RequiredCodes.Crateful.self]) }
    #expect(error?.details?.issues.map(\.property) == ["code"])
    try StoreFiles.execute("DELETE FROM Crateful WHERE code = '-'", at: store.url)
    let context = try store.open([RequiredCodes.Crateful.self]).freshContext()
    #expect(try context.only(RequiredCodes.Crateful.self).code == "-")
  }
}
