import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("The default store as a data store")
struct DefaultStoreTests {
  private let folder: TemporaryFolder
  private let configuration: ModelConfiguration
  private let log = RequestLog()

  init() throws {
    folder = try TemporaryFolder()
    configuration = ModelConfiguration(schema: Schema([Author.self]), url: folder.file())
  }

  private func audited() throws -> ModelContainer {
    try ModelContainer(
      for: Author.self, configurations: AuditedConfiguration(base: configuration, schema: nil, log: log))
  }

  @Test("The default store requires a schema")
  func schema() {
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try DefaultStore(ModelConfiguration(isStoredInMemoryOnly: true))
    }
  }

  @Test("Custom stores can wrap the default store, and a container without them reads its file")
  func wrapped() throws {
    let context = ModelContext(try audited())
    let author = Author(name: "Hesse", born: 1877)
    context.insert(author)
    author.books = [Book(isbn: "1", title: "Demian", pages: 1), Book(isbn: "2", title: "Narziss", pages: 2)]
    author.books[0].tags = [Tag("novel")]
    try context.save()
    author.name = "Hermann Hesse"
    author.books[1].pages = 3
    context.delete(author.books[0])
    try context.save()
    #expect(log.take() == ["+4 ~0 -0", "+0 ~3 -1"])
    var descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Hermann Hesse" })
    descriptor.relationshipKeyPathsForPrefetching = [\.author]
    #expect(try ModelContext(audited()).fetch(descriptor).map(\.isbn) == ["2"])

    let plain = ModelContext(try ModelContainer(for: Author.self, configurations: configuration))
    let read = try plain.fetch(FetchDescriptor<Author>())
    #expect(read.map(\.name) == ["Hermann Hesse"])
    #expect(read[0].persistentModelID == author.persistentModelID)
    #expect(read[0].books.map(\.pages) == [3])
    #expect(try plain.fetch(FetchDescriptor<Tag>()).map(\.books.count) == [0])
  }

  @Test("The default store saves values of every type")
  func everyType() throws {
    let configuration = ModelConfiguration(schema: Schema([Everything.self]), url: folder.file("everything.store"))
    let container = try ModelContainer(
      for: Everything.self, configurations: AuditedConfiguration(base: configuration, schema: nil, log: log))
    let context = ModelContext(container)
    let saved = Everything("one", group: Group("g"))
    context.insert(saved)
    saved.friends = [Everything("two", group: saved.group)]
    try context.save()
    let plain = ModelContext(try ModelContainer(for: Everything.self, configurations: configuration))
    let descriptor = FetchDescriptor<Everything>(predicate: #Predicate { $0.text == "one" })
    let read = try #require(try plain.fetch(descriptor).first)
    #expect(read.large == .max && read.decimal == 2 && read.colour == .red && read.shape == .circle(radius: 1))
    #expect(read.identifier == saved.identifier && read.data == saved.data && read.url == saved.url)
    #expect(read.address == Place(street: "s", zip: 1) && read.list == ["a"] && read.set == [1])
    #expect(read.table == ["a": 1] && read.optional == nil && read.group.name == "g")
    #expect(read.friends.map(\.text) == ["two"])
    read.address.zip = nil
    read.optional = .distantPast
    try plain.save()
    let later = ModelContext(container)
    let again = try #require(try later.fetch(descriptor).first)
    #expect(again.address.zip == nil && again.optional == .distantPast)
  }

  @Test("The default store saves transformed values and constants")
  func transformed() throws {
    let configuration = ModelConfiguration(schema: Schema([Sealed.self]), url: folder.file("sealed.store"))
    let container = try ModelContainer(
      for: Sealed.self, configurations: AuditedConfiguration(base: configuration, schema: nil, log: log))
    let context = ModelContext(container)
    context.insert(Sealed(code: "c", reversed: "abc"))
    context.insert(Sealed(code: "d", reversed: nil))
    try context.save()
    let read = try ModelContext(container).fetch(FetchDescriptor<Sealed>(sortBy: [SortDescriptor(\.code)]))
    #expect(read.map(\.code) == ["c", "d"])
    #expect(read.map(\.reversed?.text) == ["abc", nil])
  }

  @Test("The default store refuses to update a missing row")
  func missing() throws {
    let container = try audited()
    let context = ModelContext(container)
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    let plain = ModelContext(try ModelContainer(for: Author.self, configurations: configuration))
    try plain.delete(model: Author.self)
    try plain.save()
    author.name = "b"
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(context.hasChanges)
  }
}

/// A value for a transformer.
final class Reversed: NSObject {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

final class ReversingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Reversed).map { Data($0.text.utf8.reversed()) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { Reversed(String(decoding: $0.reversed(), as: UTF8.self)) }
  }
}

@Model
final class Sealed {
  let code: String
  @Attribute(.transformable(by: ReversingTransformer.self)) var reversed: Reversed?

  init(code: String, reversed: String?) {
    self.code = code
    self.reversed = reversed.map(Reversed.init)
  }
}

/// A store that records what is saved to the default store below it.
struct AuditedConfiguration: DataStoreConfiguration {
  typealias Store = AuditedStore

  var base: ModelConfiguration
  var schema: Schema?
  let log: RequestLog
  var name: String { "audited" }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.base == rhs.base
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(base)
  }
}

final class AuditedStore: DataStore {
  typealias Snapshot = DefaultSnapshot

  let configuration: AuditedConfiguration
  private let base: DefaultStore
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: AuditedConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    var base = configuration.base
    base.schema = configuration.schema
    self.base = try DefaultStore(base, migrationPlan: migrationPlan)
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try base.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    configuration.log.add("+\(request.inserted.count) ~\(request.updated.count) -\(request.deleted.count)")
    return try base.save(request)
  }
}
