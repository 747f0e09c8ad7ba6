import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// The fields of the structures are in columns.
enum PlainCards: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self] }

  struct Place: Codable, Equatable {
    var town: String
    var number: Int
  }

  struct Info: Codable, Equatable {
    var name: String
    var place: Place
  }

  @Model
  final class Card {
    var info: Info?

    init(_ info: Info?) {
      self.info = info
    }
  }
}

/// The structure is decoded by hand, as programs do for tolerance.
enum HandCodedCards: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self] }

  struct Info: Codable, Equatable {
    var name: String
    var place: PlainCards.Place

    init(name: String, place: PlainCards.Place) {
      self.name = name
      self.place = place
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? "?"
      place = try container.decode(PlainCards.Place.self, forKey: .place)
    }
  }

  @Model
  final class Card {
    var info: Info?

    init(_ info: Info?) {
      self.info = info
    }
  }
}

/// The structure within the structure is decoded by hand.
enum PartlyHandCodedCards {
  struct Place: Codable, Equatable {
    var town: String
    var number: Int

    init(town: String, number: Int) {
      self.town = town
      self.number = number
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      town = try container.decode(String.self, forKey: .town)
      number = try container.decodeIfPresent(Int.self, forKey: .number) ?? 0
    }
  }

  struct Info: Codable, Equatable {
    var name: String
    var place: Place
  }

  @Model
  final class Card {
    var info: Info?

    init(_ info: Info?) {
      self.info = info
    }
  }
}

/// The attribute option stores the structure encoded.
enum EncodedCards {
  @Model
  final class Card {
    @Attribute(.codable) var info: PlainCards.Info?

    init(_ info: PlainCards.Info?) {
      self.info = info
    }
  }
}

/// The structure has become a class.
enum ClassCards {
  final class Info: Codable, Equatable {
    let name: String
    let place: PlainCards.Place

    init(name: String, place: PlainCards.Place) {
      self.name = name
      self.place = place
    }

    static func == (left: Info, right: Info) -> Bool { left.name == right.name && left.place == right.place }
  }

  @Model
  final class Card {
    var info: Info?

    init(_ info: Info?) {
      self.info = info
    }
  }
}

/// The structure has become a text.
enum TextCards {
  @Model
  final class Card {
    var info: String?

    init(_ info: String?) {
      self.info = info
    }
  }
}

@Suite("Structures that are stored in another way")
struct OtherCodingTests {
  // It captures constants only.
  struct Version: CustomTestStringConvertible, @unchecked Sendable {
    let testDescription: String
    let type: any PersistentModel.Type
    let insert: (ModelContext) -> Void
    let hasValue: (ModelContext) throws -> Bool

    init<Card: PersistentModel, Info: Equatable>(
      _ name: String, _ info: KeyPath<Card, Info?>, _ value: Info, _ make: @escaping (Info) -> Card
    ) {
      testDescription = name
      type = Card.self
      insert = { $0.insert(make(value)) }
      hasValue = { try $0.only(Card.self)[keyPath: info] == value }
    }
  }

  static let plain = Version(
    "in columns", \PlainCards.Card.info, PlainCards.Info(name: "n", place: .init(town: "t", number: 4)),
    PlainCards.Card.init)

  static let others = [
    Version(
      "by hand", \HandCodedCards.Card.info, HandCodedCards.Info(name: "n", place: .init(town: "t", number: 4)),
      HandCodedCards.Card.init),
    Version(
      "partly by hand", \PartlyHandCodedCards.Card.info,
      PartlyHandCodedCards.Info(name: "n", place: .init(town: "t", number: 4)), PartlyHandCodedCards.Card.init),
    Version(
      "encoded", \EncodedCards.Card.info, PlainCards.Info(name: "n", place: .init(town: "t", number: 4)),
      EncodedCards.Card.init),
    Version(
      "a class", \ClassCards.Card.info, ClassCards.Info(name: "n", place: .init(town: "t", number: 4)),
      ClassCards.Card.init),
    Version("a text", \TextCards.Card.info, "n", TextCards.Card.init),
  ]

  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A store with such values is refused, and keeps them", arguments: others, [true, false])
  func refused(other: Version, isPlainFirst: Bool) throws {
    let (old, new) = isPlainFirst ? (Self.plain, other) : (other, Self.plain)
    let context = try store.open([old.type]).freshContext()
    old.insert(context)
    try context.save()
    let error = try expectRefusal(in: store.folder) { try store.open([new.type]) }
    #expect(error?.details?.issues.first?.property?.hasPrefix("info") == true)
    #expect(try old.hasValue(try store.open([old.type]).freshContext()))
  }

  @Test("A store without such models is accepted", arguments: others, [true, false])
  func accepted(other: Version, isPlainFirst: Bool) throws {
    let (old, new) = isPlainFirst ? (Self.plain, other) : (other, Self.plain)
    _ = try store.open([old.type])
    let context = try store.open([new.type]).freshContext()
    new.insert(context)
    try context.save()
    #expect(try new.hasValue(try store.open([new.type]).freshContext()))
  }

  @Test("A lightweight stage is refused as well, and keeps the values")
  func lightweightStage() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [PlainCards.self, HandCodedCards.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: PlainCards.self, toVersion: HandCodedCards.self)]
      }
    }
    let context = try store.open([PlainCards.Card.self]).freshContext()
    Self.plain.insert(context)
    try context.save()
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: Schema(versionedSchema: HandCodedCards.self), migrationPlan: Plan.self,
        configurations: ModelConfiguration(url: store.folder.file()))
    }
    #expect(try Self.plain.hasValue(try store.open([PlainCards.Card.self]).freshContext()))
  }
}
