import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum BothNotes {
  @Model
  class Craft {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Boat: Craft {
    var note: String?

    init(_ number: Int, _ note: String) {
      self.note = note
      super.init(number)
    }
  }

  @Model
  final class Car: Craft {
    var note: String?

    init(_ number: Int, _ note: String) {
      self.note = note
      super.init(number)
    }
  }
}

enum NoNotes {
  @Model
  class Craft {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Boat: Craft {
    var length = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Car: Craft {
    var doors = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum CarNotes {
  @Model
  class Craft {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Boat: Craft {
    var length = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Car: Craft {
    var note: String?

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum CodedCrafts {
  @Model
  class Hull {
    var number: Int
    @Attribute(.unique) var code: String?

    init(_ number: Int, _ code: String?) {
      self.number = number
      self.code = code
    }
  }

  @Model
  final class Ferry: Hull {
    var decks = 1

    override init(_ number: Int, _ code: String?) {
      super.init(number, code)
    }
  }

  @Model
  final class Tug: Hull {
    var power = 1

    override init(_ number: Int, _ code: String?) {
      super.init(number, code)
    }
  }
}

enum CodedTugs {
  @Model
  class Hull {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Ferry: Hull {
    var decks = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Tug: Hull {
    var power = 1
    @Attribute(.unique) var code: String?

    init(_ number: Int, _ code: String?) {
      self.code = code
      super.init(number)
    }
  }
}

@Suite("Removed and restored properties of subclasses")
struct ArchivedSubclassPropertiesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func writeNotes() throws {
    let context = try store.open([BothNotes.Craft.self, BothNotes.Boat.self, BothNotes.Car.self]).freshContext()
    context.insert(BothNotes.Boat(1, "boat"))
    context.insert(BothNotes.Car(2, "car"))
    try context.save()
  }

  @Test("Of two removed properties with one name the second can be restored by itself")
  func secondOnly() throws {
    try writeNotes()
    _ = try store.open([NoNotes.Craft.self, NoNotes.Boat.self, NoNotes.Car.self])
    let context = try store.open([CarNotes.Craft.self, CarNotes.Boat.self, CarNotes.Car.self]).freshContext()
    #expect(try context.only(CarNotes.Car.self).note == "car")
  }

  @Test("Two removed properties with one name are both restored")
  func bothRestored() throws {
    try writeNotes()
    _ = try store.open([NoNotes.Craft.self, NoNotes.Boat.self, NoNotes.Car.self])
    let context = try store.open([BothNotes.Craft.self, BothNotes.Boat.self, BothNotes.Car.self]).freshContext()
    #expect(try context.only(BothNotes.Boat.self).note == "boat")
    #expect(try context.only(BothNotes.Car.self).note == "car")
  }

  @Test("Removing one subclass's property keeps the other one's with the same name")
  func firstRemoved() throws {
    try writeNotes()
    let context = try store.open([CarNotes.Craft.self, CarNotes.Boat.self, CarNotes.Car.self]).freshContext()
    #expect(try context.only(CarNotes.Car.self).note == "car")
  }

  @Test("Moving a unique property to a subclass is refused while other classes have values of it")
  func hiddenUnique() throws {
    let old = try store.open([CodedCrafts.Hull.self, CodedCrafts.Ferry.self, CodedCrafts.Tug.self]).freshContext()
    old.insert(CodedCrafts.Ferry(1, "x"))
    try old.save()
    let models: [any PersistentModel.Type] = [CodedTugs.Hull.self, CodedTugs.Ferry.self, CodedTugs.Tug.self]
    let error = try expectRefusal(in: store.folder) { try store.open(models) }
    #expect(error?.details?.issues.map(\.property) == ["code"])
  }
}
