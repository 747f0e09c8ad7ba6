import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

// The same models in successive releases; names repeat on purpose.

enum LoggedFirst {
  enum Colour: String, Codable {
    case green, brown
  }

  struct Spot: Codable, Equatable {
    var row: Int
  }

  @Model
  final class LoggedPlant {
    @Attribute(.preserveValueOnDeletion) var name: String
    var height = 0
    var note: String?
    @Attribute(.preserveValueOnDeletion) var colour: Colour?
    @Attribute(.codable, .preserveValueOnDeletion) var spot: Spot?
    var pot: LoggedPot?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class LoggedPot {
    var size = 1
    @Relationship(inverse: \LoggedPlant.pot) var plants: [LoggedPlant] = []

    init() {}
  }
}

enum LoggedRenamed {
  @Model
  final class LoggedPlant {
    @Attribute(.preserveValueOnDeletion, originalName: "name") var title: String
    @Attribute(originalName: "height") var length = 0
    var note: String?
    @Attribute(.preserveValueOnDeletion, originalName: "colour") var tint: LoggedFirst.Colour?
    @Attribute(.codable, .preserveValueOnDeletion, originalName: "spot") var place: LoggedFirst.Spot?
    @Relationship(originalName: "pot") var vessel: LoggedPot?

    init(_ title: String) {
      self.title = title
    }
  }

  @Model
  final class LoggedPot {
    var size = 1
    @Relationship(originalName: "plants", inverse: \LoggedPlant.vessel) var herbs: [LoggedPlant] = []

    init() {}
  }
}

/// Most properties are removed.
enum LoggedShrunk {
  @Model
  final class LoggedPlant {
    @Attribute(.preserveValueOnDeletion) var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class LoggedPot {
    var size = 1

    init() {}
  }
}

/// Adds properties, an entity and a subclass.
enum LoggedGrown {
  @Model
  class LoggedPlant {
    @Attribute(.preserveValueOnDeletion) var kind = "unknown"
    @Attribute(.preserveValueOnDeletion) var name: String
    var height = 0
    var note: String?
    @Attribute(.preserveValueOnDeletion) var colour: LoggedFirst.Colour?
    @Attribute(.codable, .preserveValueOnDeletion) var spot: LoggedFirst.Spot?
    var pot: LoggedPot?
    @Relationship(inverse: \LoggedWeed.rivals) var weeds: [LoggedWeed] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class LoggedTree: LoggedPlant {
    var age = 0
  }

  @Model
  final class LoggedPot {
    var size = 1
    @Relationship(inverse: \LoggedPlant.pot) var plants: [LoggedPlant] = []

    init() {}
  }

  @Model
  final class LoggedWeed {
    @Attribute(.preserveValueOnDeletion) var word: String
    var rivals: [LoggedPlant] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

/// Earlier values do not fit the types, and some properties are no longer preserved.
enum LoggedReshaped {
  enum Colour: String, Codable {
    case brown
  }

  struct Spot: Codable, Equatable {
    var row: [String]
  }

  @Model
  final class LoggedPlant {
    var name: String?
    @Attribute(.preserveValueOnDeletion) var height = 0
    @Attribute(.preserveValueOnDeletion) var note: String?
    @Attribute(.preserveValueOnDeletion) var colour: Colour?
    @Attribute(.codable, .preserveValueOnDeletion) var spot: Spot?
    var pot: LoggedPot?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class LoggedPot {
    var size = 1
    @Relationship(inverse: \LoggedPlant.pot) var plants: [LoggedPlant] = []

    init() {}
  }
}

@Suite("History across schema changes")
struct HistorySchemaTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private static let first: [any PersistentModel.Type] = [LoggedFirst.LoggedPlant.self, LoggedFirst.LoggedPot.self]
  private static let renamed: [any PersistentModel.Type] = [
    LoggedRenamed.LoggedPlant.self, LoggedRenamed.LoggedPot.self,
  ]
  private static let shrunk: [any PersistentModel.Type] = [LoggedShrunk.LoggedPlant.self, LoggedShrunk.LoggedPot.self]
  private static let grown: [any PersistentModel.Type] = [
    LoggedGrown.LoggedPlant.self, LoggedGrown.LoggedPot.self, LoggedGrown.LoggedWeed.self, LoggedGrown.LoggedTree.self,
  ]
  private static let reshaped: [any PersistentModel.Type] = [
    LoggedReshaped.LoggedPlant.self, LoggedReshaped.LoggedPot.self,
  ]

  /// Five saves by the first release: insertions, three updates, and a deletion.
  private func writeFirst() throws {
    let context = ModelContext(try store.open(Self.first))
    let (fern, moss) = (LoggedFirst.LoggedPlant("fern"), LoggedFirst.LoggedPlant("moss"))
    let pot = LoggedFirst.LoggedPot()
    for plant in [fern, moss] { context.insert(plant) }
    context.insert(pot)
    (moss.colour, moss.spot, moss.height, moss.note) = (.green, .init(row: 7), 3, "wet")
    try context.save()
    fern.height = 2
    try context.save()
    fern.name = "old fern"
    fern.note = "n"
    try context.save()
    fern.pot = pot
    try context.save()
    context.delete(moss)
    try context.save()
  }

  /// A description of each transaction, without identifiers.
  private func words(_ container: ModelContainer) throws -> [[String]] {
    try container.logged().map { transaction in
      expectOrder(transaction)
      return transaction.logged.map { change in
        let names = change.properties.isEmpty ? "" : " " + change.properties.sorted().joined(separator: ",")
        return "\(change.kind) \(change.identifier.entityName.dropFirst(6))\(names)"
      }
      .sorted()
    }
  }

  private func tombstones<Model: PersistentModel>(
    of type: Model.Type, _ container: ModelContainer
  ) throws -> [HistoryTombstone<Model>] {
    try container.logged().flatMap(\.changes).compactMap { change in
      if case .delete(let deletion as DefaultHistoryDelete<Model>) = change { deletion.tombstone } else { nil }
    }
  }

  private static let firstWords = [
    ["insert Plant", "insert Plant", "insert Pot"], ["update Plant height"], ["update Plant name,note"],
    ["update Plant pot", "update Pot plants"], ["delete Plant"],
  ]

  @Test("A program with the same schema reads its own records")
  func same() throws {
    try writeFirst()
    let container = try store.open(Self.first)
    #expect(try words(container) == Self.firstWords)
    let tombstone = try #require(try tombstones(of: LoggedFirst.LoggedPlant.self, container).first)
    #expect(tombstone[\.name] as? String == "moss")
    #expect(tombstone[\.colour] as? LoggedFirst.Colour == .green)
    #expect(tombstone[\.spot] as? LoggedFirst.Spot == .init(row: 7))
    #expect(Array(tombstone).count == 3)
  }

  @Test("Renamed properties are found under their new names")
  func renamed() throws {
    try writeFirst()
    let container = try store.open(Self.renamed)
    #expect(
      try words(container) == [
        ["insert Plant", "insert Plant", "insert Pot"], ["update Plant length"], ["update Plant note,title"],
        ["update Plant vessel", "update Pot herbs"], ["delete Plant"],
      ])
    let tombstone = try #require(try tombstones(of: LoggedRenamed.LoggedPlant.self, container).first)
    #expect(tombstone[\.title] as? String == "moss")
    #expect(tombstone[\.tint] as? LoggedFirst.Colour == .green)
    #expect(tombstone[\.place] as? LoggedFirst.Spot == .init(row: 7))
    let context = ModelContext(container)
    let plant = try context.only(LoggedRenamed.LoggedPlant.self)
    plant.length = 9
    try context.save()
    #expect(try words(container).last == ["update Plant length"])
  }

  @Test("Updates omit removed properties, and all other changes stay")
  func removed() throws {
    try writeFirst()
    let container = try store.open(Self.shrunk)
    let found = try words(container)
    #expect(found.count == 5)
    #expect(found.first == ["insert Plant", "insert Plant", "insert Pot"])
    #expect(found.dropFirst(2).first == ["update Plant name"])
    #expect(found.last == ["delete Plant"])
    // An update of removed properties only may appear or not, but names no property.
    for words in [found.dropFirst(1).first, found.dropFirst(3).first] {
      #expect(words?.allSatisfy { ["update Plant", "update Pot"].contains($0) } == true)
    }
    let tombstone = try #require(try tombstones(of: LoggedShrunk.LoggedPlant.self, container).first)
    #expect(tombstone[\.name] as? String == "moss")
    #expect(Array(tombstone).count == 1)
    // The first release reads all records again.
    #expect(try words(try store.open(Self.first)) == Self.firstWords)
  }

  @Test("New properties and entities appear in later transactions")
  func added() throws {
    try writeFirst()
    let container = try store.open(Self.grown)
    #expect(try words(container) == Self.firstWords)
    let old = try #require(try tombstones(of: LoggedGrown.LoggedPlant.self, container).first)
    #expect(old[\.kind] == nil)
    #expect(old[\.name] as? String == "moss")
    let context = ModelContext(container)
    let fern = try context.only(LoggedGrown.LoggedPlant.self)
    let (weed, tree) = (LoggedGrown.LoggedWeed("thistle"), LoggedGrown.LoggedTree("oak"))
    context.insert(weed)
    context.insert(tree)
    fern.kind = "fern"
    fern.weeds = [weed]
    try context.save()
    context.delete(weed)
    context.delete(tree)
    try context.save()
    let found = try words(container)
    #expect(
      Array(found.dropFirst(5)) == [
        ["insert Tree", "insert Weed", "update Plant kind,weeds"],
        ["delete Tree", "delete Weed", "update Plant weeds"],
      ])
    let trees = try tombstones(of: LoggedGrown.LoggedTree.self, container)
    #expect(trees.map { $0[\.name] as? String } == ["oak"])
    #expect(trees.map { $0[\.kind] as? String } == ["unknown"])
    #expect(try tombstones(of: LoggedGrown.LoggedWeed.self, container).map { $0[\.word] as? String } == ["thistle"])
  }

  @Test("An older program reads the part of newer transactions that its schema has")
  func addedByAnother() throws {
    try writeFirst()
    let older = try store.open(Self.first)
    #expect(try words(older) == Self.firstWords)
    let later = ModelContext(try store.open(Self.grown))
    let fern = try later.only(LoggedGrown.LoggedPlant.self)
    later.insert(LoggedGrown.LoggedWeed("thistle"))
    later.insert(LoggedGrown.LoggedTree("oak"))
    try later.save()
    fern.kind = "fern"
    try later.save()
    fern.height = 11
    try later.save()
    try later.delete(model: LoggedGrown.LoggedWeed.self)
    try later.save()
    do {
      let found = try words(older)
      #expect(Array(found.prefix(5)) == Self.firstWords)
      let names = Set(found.dropFirst(5).flatMap { $0 })
      #expect(names.isSubset(of: ["update Plant height", "update Plant"]))
      #expect(names.contains("update Plant height"))
    } catch let error as SwiftDataError {
      // The container may throw because the store's schema has changed.
      #expect(error.details?.message?.isEmpty == false)
    }
  }

  @Test("A tombstone omits values that no longer fit their type")
  func reshaped() throws {
    try writeFirst()
    let container = try store.open(Self.reshaped)
    #expect(try words(container) == Self.firstWords)
    let tombstone = try #require(try tombstones(of: LoggedReshaped.LoggedPlant.self, container).first)
    #expect(tombstone[\.height] == nil)
    #expect(tombstone[\.note] == nil)
    #expect(tombstone[\.colour] == nil)
    #expect(tombstone[\.spot] == nil)
    for value in tombstone { #expect(value is String) }
    let context = ModelContext(container)
    context.delete(try context.only(LoggedReshaped.LoggedPlant.self))
    try context.save()
    let second = try #require(try tombstones(of: LoggedReshaped.LoggedPlant.self, container).last)
    #expect(second[\.height] as? Int == 2)
    #expect(second[\.note] as? String == "n")
  }

  /// Gives an entity or a property in the records a name of the same length that no schema has.
  private func rename(_ name: String, to other: String) throws {
    #expect(name.utf8.count == other.utf8.count)
    try StoreFiles.execute(
      """
      UPDATE swiftdata_history
      SET changes = CAST(replace(CAST(changes AS TEXT), '\(name)', '\(other)') AS BLOB)
      """, at: store.url)
  }

  @Test("Changes of an unknown entity are omitted, but their transaction is not")
  func unknownEntity() throws {
    try writeFirst()
    try rename("LoggedPlant", to: "LoggedFloat")
    let container = try store.open(Self.first)
    #expect(try words(container) == [["insert Pot"], [], [], ["update Pot plants"], []])
    let all = try container.logged()
    #expect(all.count == 5)
    #expect(try container.logged(after: all[1].token) == Array(all[2...]))
    try rename("LoggedFloat", to: "LoggedPlant")
    #expect(try words(container) == Self.firstWords)
  }

  @Test("Updates and tombstones omit unknown properties")
  func unknownProperty() throws {
    try writeFirst()
    try rename("name", to: "nada")
    let container = try store.open(Self.first)
    let found = try words(container)
    #expect(found.count == 5)
    #expect(found.dropFirst(2).first == ["update Plant note"])
    let tombstone = try #require(try tombstones(of: LoggedFirst.LoggedPlant.self, container).first)
    #expect(tombstone[\.name] == nil)
    #expect(tombstone[\.colour] as? LoggedFirst.Colour == .green)
  }

  @Test("The order of the models in the schema does not matter")
  func otherOrder() throws {
    try writeFirst()
    let swapped: [any PersistentModel.Type] = [LoggedFirst.LoggedPot.self, LoggedFirst.LoggedPlant.self]
    #expect(try words(try store.open(swapped)) == Self.firstWords)
  }

  @Test("Tokens outlive a change of the schema")
  func tokens() throws {
    try writeFirst()
    let before = try store.open(Self.first).logged()
    let container = try store.open(Self.grown)
    #expect(try container.logged(after: before[2].token).map(\.token) == before[3...].map(\.token))
    let context = ModelContext(container)
    context.insert(LoggedGrown.LoggedPot())
    try context.save()
    let new = try container.logged(after: before[4].token)
    #expect(new.count == 1)
    #expect(new.first.map { $0.transactionIdentifier > before[4].transactionIdentifier } == true)
    #expect(new.first?.storeIdentifier == before[4].storeIdentifier)
  }
}
