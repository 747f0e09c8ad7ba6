import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

// The same models in successive releases; names repeat on purpose.

enum WaresFirst {
  enum Grade: String, Codable {
    case new, used
  }

  @Model
  final class LoggedWare {
    @Attribute(.preserveValueOnDeletion) var count: Int
    @Attribute(.preserveValueOnDeletion) var rating: Int
    @Attribute(.preserveValueOnDeletion) var grade: Grade
    @Attribute(.preserveValueOnDeletion) var title: String
    @Attribute(.preserveValueOnDeletion) var code: String
    @Attribute(.preserveValueOnDeletion) var note: String?

    init(count: Int, rating: Int, grade: Grade, title: String, code: String, note: String?) {
      self.count = count
      self.rating = rating
      self.grade = grade
      self.title = title
      self.code = code
      self.note = note
    }
  }

  @Model
  final class LoggedCounter {
    @Attribute(.preserveValueOnDeletion) var label: String

    init(_ label: String) {
      self.label = label
    }
  }
}

/// Types are wider, one property takes another one's name, and a property and a model are removed.
enum WaresSecond {
  @Model
  final class LoggedWare {
    @Attribute(.preserveValueOnDeletion) var count: Double
    @Attribute(.preserveValueOnDeletion) var rating: String
    @Attribute(.preserveValueOnDeletion) var grade: String
    @Attribute(.preserveValueOnDeletion, originalName: "title") var heading: String
    @Attribute(.preserveValueOnDeletion, originalName: "code") var title: String

    init(count: Double, rating: String, grade: String, heading: String, title: String) {
      self.count = count
      self.rating = rating
      self.grade = grade
      self.heading = heading
      self.title = title
    }
  }
}

/// More changes of types, and another property with the name of the removed one. A model is renamed.
enum WaresThird {
  @Model
  final class LoggedWare {
    @Attribute(.preserveValueOnDeletion) var count: String
    @Attribute(.preserveValueOnDeletion) var rating: String
    @Attribute(.preserveValueOnDeletion) var grade: String
    @Attribute(.preserveValueOnDeletion, originalName: "heading") var caption: String
    @Attribute(.preserveValueOnDeletion, originalName: "code") var title: String
    @Attribute(.preserveValueOnDeletion) var note: Int?

    init(count: String, rating: String, grade: String, caption: String, title: String) {
      self.count = count
      self.rating = rating
      self.grade = grade
      self.caption = caption
      self.title = title
    }
  }

  @Model
  final class LoggedTeller {
    @Attribute(.preserveValueOnDeletion) var label: String

    init(_ label: String) {
      self.label = label
    }
  }
}

/// A property is removed.
enum WaresShort {
  @Model
  final class LoggedWare {
    @Attribute(.preserveValueOnDeletion) var count: Int
    @Attribute(.preserveValueOnDeletion) var rating: Int
    @Attribute(.preserveValueOnDeletion) var grade: WaresFirst.Grade
    @Attribute(.preserveValueOnDeletion) var title: String
    @Attribute(.preserveValueOnDeletion) var code: String

    init(count: Int, rating: Int, grade: WaresFirst.Grade, title: String, code: String) {
      self.count = count
      self.rating = rating
      self.grade = grade
      self.title = title
      self.code = code
    }
  }
}

/// A renamed property takes the name of a removed one.
enum WaresReplaced {
  @Model
  final class LoggedWare {
    @Attribute(.preserveValueOnDeletion) var count: Int
    @Attribute(.preserveValueOnDeletion) var rating: Int
    @Attribute(.preserveValueOnDeletion) var grade: WaresFirst.Grade
    @Attribute(.preserveValueOnDeletion, originalName: "code") var title: String
    @Attribute(.preserveValueOnDeletion) var note: String?

    init(count: Int, rating: Int, grade: WaresFirst.Grade, title: String) {
      self.count = count
      self.rating = rating
      self.grade = grade
      self.title = title
    }
  }
}

enum CratesFirst {
  struct Lid: Codable, Equatable {
    var width: Int
  }

  struct Content: Codable, Equatable {
    var label: String
    var lid: Lid?
  }

  struct Size: Codable {
    var width: Int
  }

  @Model
  final class LoggedCrate {
    @Attribute(.preserveValueOnDeletion) var content: Content
    @Attribute(.preserveValueOnDeletion) var size: Size

    init(_ content: Content, _ size: Size) {
      self.content = content
      self.size = size
    }
  }
}

/// A lid's width is optional, and a size's only field is replaced by another one.
enum CratesSecond {
  struct Lid: Codable, Equatable {
    var width: Int?
  }

  struct Content: Codable, Equatable {
    var label: String
    var lid: Lid?
  }

  struct Size: Codable {
    var depth: Int?
  }

  @Model
  final class LoggedCrate {
    @Attribute(.preserveValueOnDeletion) var content: Content
    @Attribute(.preserveValueOnDeletion) var size: Size

    init(_ content: Content, _ size: Size) {
      self.content = content
      self.size = size
    }
  }
}

@Suite("History across changes of properties")
struct HistoryRevisionTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = ModelContext(try store.open(Self.first))
    let wares = ["a", "b"].map { name in
      WaresFirst.LoggedWare(
        count: 3, rating: 4, grade: .used, title: "title \(name)", code: "code \(name)", note: "note \(name)")
    }
    for ware in wares { context.insert(ware) }
    let counter = WaresFirst.LoggedCounter("till")
    context.insert(counter)
    try context.save()
    wares[1].title = "title c"
    wares[1].note = "note c"
    try context.save()
    context.delete(wares[0])
    context.delete(counter)
    try context.save()
  }

  private static let first: [any PersistentModel.Type] = [WaresFirst.LoggedWare.self, WaresFirst.LoggedCounter.self]

  private func tombstones<Model: PersistentModel>(
    of type: Model.Type, _ container: ModelContainer
  ) throws -> [HistoryTombstone<Model>] {
    try container.logged().flatMap(\.changes).compactMap { change in
      if case .delete(let deletion as DefaultHistoryDelete<Model>) = change { deletion.tombstone } else { nil }
    }
  }

  /// The properties of the updates of each transaction.
  private func updates(_ container: ModelContainer) throws -> [[String]] {
    try container.logged().map { transaction in transaction.logged.flatMap { $0.properties.sorted() } }
  }

  private func expectSecond(
    _ tombstone: HistoryTombstone<WaresSecond.LoggedWare>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(tombstone[\.count] as? Double == 3, sourceLocation: sourceLocation)
    #expect(tombstone[\.rating] as? String == "4", sourceLocation: sourceLocation)
    #expect(tombstone[\.grade] as? String == "used", sourceLocation: sourceLocation)
    #expect(tombstone[\.heading] as? String == "title a", sourceLocation: sourceLocation)
    #expect(tombstone[\.title] as? String == "code a", sourceLocation: sourceLocation)
    #expect(Array(tombstone).count == 5, sourceLocation: sourceLocation)
  }

  @Test(
    "Tombstone values are converted like those of rows, and have the new names, including reused ones")
  func once() throws {
    let container = try store.open([WaresSecond.LoggedWare.self])
    for _ in 0..<2 { expectSecond(try #require(try tombstones(of: WaresSecond.LoggedWare.self, container).first)) }
    #expect(try updates(container) == [[], ["heading"], []])
    expectSecond(
      try #require(
        try tombstones(of: WaresSecond.LoggedWare.self, store.open([WaresSecond.LoggedWare.self])).first))
  }

  @Test("Several schema changes apply in order, starting with the one after the transaction")
  func twice() throws {
    let second = ModelContext(try store.open([WaresSecond.LoggedWare.self]))
    let ware = try second.only(WaresSecond.LoggedWare.self)
    ware.heading = "heading b"
    ware.count = 7.5
    try second.save()
    second.delete(ware)
    try second.save()
    let container = try store.open([WaresThird.LoggedWare.self, WaresThird.LoggedTeller.self])
    let found = try tombstones(of: WaresThird.LoggedWare.self, container)
    #expect(found.count == 2)
    #expect(found.map { $0[\.count] as? String } == ["3.0", "7.5"])
    #expect(found.map { $0[\.rating] as? String } == ["4", "4"])
    #expect(found.map { $0[\.grade] as? String } == ["used", "used"])
    #expect(found.map { $0[\.caption] as? String } == ["title a", "heading b"])
    #expect(found.map { $0[\.title] as? String } == ["code a", "code b"])
    // The notes were texts.
    #expect(found.allSatisfy { $0[\.note] == nil })
    let names = try updates(container).map { names in names.filter { $0 != "note" } }
    #expect(names == [[], ["caption"], [], ["caption", "count"], []])
  }

  @Test("Changes of properties are recorded as long as an earlier transaction exists, whichever are deleted")
  func deletedTransactions() throws {
    let second = try store.open([WaresSecond.LoggedWare.self])
    let last = try #require(try second.logged().last?.transactionIdentifier)
    try ModelContext(second).deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.transactionIdentifier == last }))
    #expect(try updates(second) == [[], ["heading"]])
    let third = try store.open([WaresThird.LoggedWare.self, WaresThird.LoggedTeller.self])
    #expect(try updates(third).map { names in names.filter { $0 != "note" } } == [[], ["caption"]])
  }

  @Test("A restored property has its values again, without those of a property that had its name before")
  func back() throws {
    let short = try store.open([WaresShort.LoggedWare.self])
    #expect(try tombstones(of: WaresShort.LoggedWare.self, short).map { Array($0).count } == [5])
    let container = try store.open(Self.first)
    let tombstone = try #require(try tombstones(of: WaresFirst.LoggedWare.self, container).first)
    #expect(tombstone[\.note] as? String == "note a")
    #expect(tombstone[\.title] as? String == "title a")
    #expect(try updates(container) == [[], ["note", "title"], []])
    let other = try MigratingStore()
    let context = ModelContext(try other.open(Self.first))
    let ware = WaresFirst.LoggedWare(count: 1, rating: 2, grade: .new, title: "title", code: "code", note: nil)
    context.insert(ware)
    try context.save()
    ware.title = "other"
    try context.save()
    context.delete(ware)
    try context.save()
    let replaced = try other.open([WaresReplaced.LoggedWare.self])
    let found = try #require(try tombstones(of: WaresReplaced.LoggedWare.self, replaced).first)
    #expect(found[\.count] as? Int == 1)
    #expect(found[\.grade] as? WaresFirst.Grade == .new)
    #expect(found[\.title] as? String == "code")
    #expect(try updates(replaced) == [[], [], []])
  }

  @Test("Deletions of a removed or renamed model are omitted, and return with the model")
  func removedModel() throws {
    let before = try store.open(Self.first).logged()
    let later: [[any PersistentModel.Type]] = [
      [WaresSecond.LoggedWare.self], [WaresThird.LoggedWare.self, WaresThird.LoggedTeller.self],
    ]
    for models in later {
      let found = try store.open(models).logged()
      #expect(found.map(\.transactionIdentifier) == before.map(\.transactionIdentifier))
      #expect(found.last?.logged.map(\.identifier.entityName) == ["LoggedWare"])
    }
    let container = try store.open([WaresThird.LoggedWare.self, WaresFirst.LoggedCounter.self])
    #expect(try tombstones(of: WaresFirst.LoggedCounter.self, container).map { $0[\.label] as? String } == ["till"])
  }

  @Test("Fields of structures are matched by name, and a nil structure inside another stays nil")
  func structures() throws {
    let other = try MigratingStore()
    let context = ModelContext(try other.open([CratesFirst.LoggedCrate.self]))
    for lid in [nil, CratesFirst.Lid(width: 3)] {
      let crate = CratesFirst.LoggedCrate(.init(label: "l", lid: lid), .init(width: 7))
      context.insert(crate)
      try context.save()
      context.delete(crate)
      try context.save()
    }
    let container = try other.open([CratesSecond.LoggedCrate.self])
    let found = try tombstones(of: CratesSecond.LoggedCrate.self, container)
    let contents = found.map { $0[\.content] as? CratesSecond.Content }
    #expect(contents == [nil, CratesSecond.Lid(width: 3)].map { CratesSecond.Content(label: "l", lid: $0) })
    #expect(found.map { ($0[\.size] as? CratesSecond.Size)?.depth } == [nil, nil])
  }

  @Test("If a store has no record of its schema changes, values of another type are omitted")
  func unknown() throws {
    _ = try store.open([WaresSecond.LoggedWare.self])
    try StoreFiles.execute("DELETE FROM swiftdata_metadata WHERE key = 'history_revisions'", at: store.url)
    let container = try store.open([WaresSecond.LoggedWare.self])
    let tombstone = try #require(try tombstones(of: WaresSecond.LoggedWare.self, container).first)
    #expect(tombstone[\.rating] == nil)
    #expect(tombstone[\.grade] as? String == "used")
  }

  @Test("A store whose history no schema change affects records nothing about it")
  func withoutHistory() throws {
    let other = try MigratingStore()
    _ = try other.open(Self.first)
    _ = try other.open([WaresSecond.LoggedWare.self])
    #expect(try other.texts("SELECT key FROM swiftdata_metadata WHERE key = 'history_revisions'") == [])
    #expect(try store.texts("SELECT key FROM swiftdata_metadata WHERE key = 'history_revisions'") == [])
    _ = try store.open([WaresSecond.LoggedWare.self])
    #expect(try store.texts("SELECT key FROM swiftdata_metadata WHERE key = 'history_revisions'").count == 1)
  }
}
