import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
class BatchedNote {
  var text: String
  var rank: Int

  init(_ text: String, rank: Int) {
    self.text = text
    self.rank = rank
  }
}

@Model
final class BatchedReminder: BatchedNote {
  var day = 0
}

@Model
final class BatchedFolder {
  var name: String
  var pages: [BatchedPage] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class BatchedPage {
  var folder: BatchedFolder?

  init(_ folder: BatchedFolder) {
    self.folder = folder
  }
}

/// A store that deletes by predicates, and records the requests that it gets.
struct BatchingConfiguration: DataStoreConfiguration {
  typealias Store = BatchingStore

  var base: ModelConfiguration
  var schema: Schema?
  let log: RequestLog
  var name: String { "batching" }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.base == rhs.base
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(base)
  }
}

final class BatchingStore: DataStore, DataStoreBatching {
  typealias Snapshot = DefaultSnapshot

  let configuration: BatchingConfiguration
  private let base: DefaultStore
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: BatchingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try DefaultStore(base, migrationPlan: migrationPlan)
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    configuration.log.add("fetch")
    return try base.fetch(request)
  }

  func fetchIdentifiers<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier] {
    configuration.log.add("identifiers")
    return try base.fetchIdentifiers(request)
  }

  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    let author = request.editingState.author ?? "unknown"
    configuration.log.add("delete \(T.self) with subclasses: \(request.includeSubclasses), by \(author)")
    if author == "refused" { throw CocoaError(.fileWriteNoPermission) }
    if author == "misunderstood" { throw DataStoreError.unsupportedFeature }
    try base.delete(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    configuration.log.add("save +\(request.inserted.count) ~\(request.updated.count) -\(request.deleted.count)")
    return try base.save(request)
  }
}

@Suite("Custom stores that delete by predicates")
struct BatchingStoreTests {
  private let folder: TemporaryFolder
  private let log = RequestLog()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: BatchedNote.self, BatchedReminder.self, BatchedFolder.self, BatchedPage.self,
      configurations: BatchingConfiguration(base: ModelConfiguration(url: folder.file()), log: log))
    context = ModelContext(container)
    for rank in 0..<6 { context.insert(BatchedNote("note", rank: rank)) }
    for rank in 0..<6 { context.insert(BatchedReminder("reminder", rank: rank)) }
    let folders = [BatchedFolder("a"), BatchedFolder("b")]
    for folder in folders {
      context.insert(folder)
      context.insert(BatchedPage(folder))
    }
    try context.save()
    _ = log.take()
  }

  private func ranks(_ context: ModelContext? = nil) throws -> [Int] {
    try (context ?? self.context).fetch(FetchDescriptor<BatchedNote>()).map(\.rank).sorted()
  }

  @Test("The save passes the predicate to the store, without models")
  func asked() throws {
    let context = ModelContext(container)
    context.author = "me"
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 4 })
    #expect(log.take() == ["identifiers"])
    #expect(context.hasChanges)
    #expect(try ranks(context) == [4, 4, 5, 5])
    #expect(try ranks(ModelContext(container)).count == 12)
    _ = log.take()
    try context.save()
    #expect(log.take() == ["delete BatchedNote with subclasses: true, by me"])
    #expect(!context.hasChanges)
    #expect(try ranks(context) == [4, 4, 5, 5])
    #expect(try ranks(ModelContext(container)) == [4, 4, 5, 5])
  }

  @Test("Registered models are detached, and other contexts get change notifications")
  func inMemory() throws {
    let mine = try #require(try context.fetch(FetchDescriptor<BatchedNote>()).first { $0.rank == 1 })
    let other = ModelContext(container)
    #expect(try ranks(other).count == 12)
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 4 })
    #expect(mine.isDeleted)
    _ = log.take()
    try context.save()
    #expect(log.take() == ["delete BatchedNote with subclasses: true, by unknown"])
    #expect(mine.modelContext == nil)
    #expect(try ranks(other) == [4, 4, 5, 5])
  }

  @Test("Subclasses are kept when includeSubclasses is false")
  func withoutSubclasses() throws {
    try context.delete(model: BatchedNote.self, includeSubclasses: false)
    _ = log.take()
    try context.save()
    #expect(log.take() == ["delete BatchedNote with subclasses: false, by unknown"])
    #expect(try ranks(ModelContext(container)) == [0, 1, 2, 3, 4, 5])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<BatchedReminder>()) == 6)
  }

  @Test("With other changes in the save, the store gets the deleted models")
  func besideOthers() throws {
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 2 })
    context.insert(BatchedNote("new", rank: 9))
    _ = log.take()
    try context.save()
    #expect(log.take().last == "save +1 ~0 -4")
    #expect(try ranks(ModelContext(container)) == [2, 2, 3, 3, 4, 4, 5, 5, 9])
  }

  @Test("Two deletions by predicate reach the store as models")
  func two() throws {
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank == 0 })
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank == 1 })
    _ = log.take()
    try context.save()
    #expect(log.take().last == "save +0 ~0 -4")
    #expect(try ranks(ModelContext(container)) == [2, 2, 3, 3, 4, 4, 5, 5])
  }

  @Test("Rollback discards the deletion, and a later save does not request it")
  func rollback() throws {
    try context.delete(model: BatchedNote.self)
    context.rollback()
    #expect(try ranks().count == 12)
    _ = log.take()
    try context.save()
    #expect(log.take() == [])
    context.delete(try #require(try context.fetch(FetchDescriptor<BatchedReminder>()).first))
    try context.save()
    #expect(log.take().last == "save +0 ~0 -1")
    #expect(try ranks(ModelContext(container)).count == 11)
  }

  @Test("A store that refuses the deletion leaves it pending")
  func refused() throws {
    context.author = "refused"
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 4 })
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges)
    #expect(try ranks(ModelContext(container)).count == 12)
    context.author = "me"
    try context.save()
    #expect(try ranks(ModelContext(container)) == [4, 4, 5, 5])
  }

  @Test("A store that does not support the request gets the deleted models")
  func misunderstood() throws {
    context.author = "misunderstood"
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 4 })
    _ = log.take()
    try context.save()
    #expect(log.take().last == "save +0 ~0 -8")
    #expect(!context.hasChanges)
    #expect(try ranks(ModelContext(container)) == [4, 4, 5, 5])
  }

  @Test("After another context's save, the store gets the deleted models")
  func othersBetween() throws {
    let other = ModelContext(container)
    let note = try #require(try other.fetch(FetchDescriptor<BatchedNote>()).first { $0.rank == 1 })
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank < 4 })
    note.rank = 9
    other.insert(BatchedNote("new", rank: 2))
    try other.save()
    _ = log.take()
    try context.save()
    #expect(log.take().last == "save +0 ~0 -8")
    #expect(try ranks(ModelContext(container)) == [2, 4, 4, 5, 5])
    #expect(try ranks(other) == [2, 4, 4, 5, 5])
  }

  @Test("Models with relationships reach the store as models, along with their inverses")
  func linked() throws {
    try context.delete(model: BatchedPage.self)
    _ = log.take()
    try context.save()
    #expect(log.take().last?.hasPrefix("save +0") == true)
    let folders = try ModelContext(container).fetch(FetchDescriptor<BatchedFolder>())
    #expect(folders.count == 2)
    #expect(folders.allSatisfy { $0.pages.isEmpty })
  }

  @Test("A predicate without matches leaves nothing to save")
  func nothing() throws {
    try context.delete(model: BatchedNote.self, where: #Predicate { $0.rank > 100 })
    #expect(!context.hasChanges)
    _ = log.take()
    try context.save()
    #expect(log.take() == [])
  }
}
