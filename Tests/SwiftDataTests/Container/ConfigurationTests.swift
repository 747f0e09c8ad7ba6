import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Configurations")
struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func url(_ name: String) -> URL {
    folder.file(name)
  }

  @Test("A configuration is named after its file unless it gets a name")
  func configurationName() {
    #expect(ModelConfiguration(url: url("people.store")).name == "people")
    #expect(ModelConfiguration("given", url: url("people.store")).name == "given")
    #expect(ModelConfiguration().name == "default")
    #expect(ModelConfiguration("notes").url.lastPathComponent == "notes.store")
    #expect(ModelConfiguration().url.lastPathComponent == "default.store")
    #expect(ModelConfiguration(url: url("a.store")).id == url("a.store"))
  }

  @Test("Every initializer sets its arguments")
  func initializers() {
    let inMemory = ModelConfiguration(isStoredInMemoryOnly: true)
    #expect(inMemory.isStoredInMemoryOnly)
    #expect(inMemory.allowsSave)
    #expect(inMemory.schema == nil)
    let typed = ModelConfiguration(for: Author.self, isStoredInMemoryOnly: true)
    #expect(typed.schema?.entitiesByName.keys.sorted() == ["Author", "Book", "Tag"])
    let full = ModelConfiguration(
      "full", schema: Schema([Author.self]), isStoredInMemoryOnly: false, allowsSave: false,
      groupContainer: .identifier("group"), cloudKitDatabase: .private("cloud"))
    #expect(!full.allowsSave)
    #expect(full.groupAppContainerIdentifier == "group")
    #expect(full.cloudKitContainerIdentifier == "cloud")
    #expect(ModelConfiguration(groupContainer: .none, cloudKitDatabase: .none).groupAppContainerIdentifier == nil)
  }

  @Test(
    "An invalid file name is refused",
    arguments: [
      (String(repeating: "x", count: 256), SwiftDataError.configurationFileNameTooLong),
      (String(repeating: "ö", count: 130), .configurationFileNameTooLong),
      ("a/b", .configurationFileNameContainsInvalidCharacters),
      ("a\0b", .configurationFileNameContainsInvalidCharacters),
      ("", .configurationFileNameContainsInvalidCharacters),
    ])
  func invalidFileName(name: String, expected: SwiftDataError) {
    #expect(throws: expected) {
      try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(name))
    }
  }

  @Test("A URL that is no file URL is refused", arguments: ["http://example.com/x.store", "ftp:x.store", "data:,x"])
  func otherURL(text: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: First.Item.self, configurations: ModelConfiguration(url: url))
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.details?.message?.contains(text) == true)
  }

  @Test(
    "Durability applies to the connections that save",
    arguments: zip([ModelConfiguration.Durability.normal, .full], [Int64(1), 2]))
  func durability(
    durability: ModelConfiguration.Durability, mode: Int64
  ) throws {
    var configuration = ModelConfiguration(url: url("durable.store"))
    #expect(configuration.durability == .normal)
    configuration.durability = durability
    let container = try ModelContainer(for: First.Item.self, configurations: configuration)
    let store = try #require(container.core.stores[0] as? RelationalStore)
    var found: [Int64] = []
    try store.database.write { connection in
      try connection.forEachRow("PRAGMA synchronous") { found.append($0.integer(0)) }
    }
    #expect(found == [mode])
    let context = ModelContext(container)
    context.insert(First.Item(title: "kept"))
    try context.save()
    #expect(try container.freshContext().only(First.Item.self).title == "kept")
  }

  @Test("Choices of CloudKit databases and app groups can be compared and matched")
  func choices() {
    typealias Database = ModelConfiguration.CloudKitDatabase
    typealias Group = ModelConfiguration.GroupContainer
    #expect(Set<Database>([.automatic, .none, .private("a"), .private("b"), .none]).count == 4)
    #expect(Set<Group>([.automatic, .none, .identifier("a"), .identifier("b"), .none]).count == 4)
    let plain = ModelConfiguration(isStoredInMemoryOnly: true)
    #expect(plain.cloudKitDatabase == .automatic)
    #expect(plain.groupContainer == .automatic)
    let configuration = ModelConfiguration(
      "c", isStoredInMemoryOnly: true, groupContainer: .identifier("g"), cloudKitDatabase: .none)
    if case .none = configuration.cloudKitDatabase {} else { Issue.record("It was matched with nothing.") }
    switch configuration.groupContainer {
    case .identifier("g"): break
    default: Issue.record("It was matched with something else.")
    }
    #expect(configuration.groupAppContainerIdentifier == "g")
    #expect(configuration.cloudKitContainerIdentifier == nil)
  }

  @Test("Two configurations with the same file or name are refused")
  func sameFileOrName() throws {
    let pairs = [
      [ModelConfiguration("a", url: url("x.store")), ModelConfiguration("b", url: url("x.store"))],
      [ModelConfiguration("a", url: url("x.store")), ModelConfiguration("b", url: url("./y/../x.store"))],
      [ModelConfiguration("a", url: url("x.store")), ModelConfiguration("a", url: url("y.store"))],
    ]
    for pair in pairs {
      #expect(throws: SwiftDataError.duplicateConfiguration) {
        try ModelContainer(for: Schema([First.Item.self]), configurations: pair)
      }
    }
    #expect(try StoreFiles.contents(of: folder.url).isEmpty)
  }

  @Test("A file and a symbolic link to it are the same file, existing or not", arguments: [true, false])
  func symbolicLink(exists: Bool) throws {
    try FileManager.default.createSymbolicLink(atPath: url("link.store").path, withDestinationPath: "x.store")
    if exists { try Data().write(to: url("x.store")) }
    let pair = ["x", "link"].map { (name: String) in ModelConfiguration(name, url: url("\(name).store")) }
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(for: Schema([First.Item.self]), configurations: pair)
    }
  }

  @Test("A configuration with a model that the container's schema lacks is refused")
  func unknownModel() {
    let configuration = ModelConfiguration(schema: Schema([Gone.Other.self]), url: url("x.store"))
    #expect(throws: SwiftDataError.configurationSchemaNotFoundInContainerSchema) {
      try ModelContainer(for: First.Item.self, configurations: configuration)
    }
  }

  @Test("In-memory stores share nothing")
  func inMemoryStoresShareNothing() throws {
    let containers = try (0..<2).map { _ in try makeLibrary() }
    let context = ModelContext(containers[0])
    context.insert(Author(name: "a"))
    try context.save()
    #expect(try ModelContext(containers[0]).fetchCount(FetchDescriptor<Author>()) == 1)
    #expect(try ModelContext(containers[1]).fetchCount(FetchDescriptor<Author>()) == 0)
    #expect(containers[0] != containers[1])
  }

  @Test("A container has a schema, configurations and the identifiers of its stores")
  func containerProperties() throws {
    let configuration = ModelConfiguration(url: url("library.store"))
    let container = try ModelContainer(for: Author.self, configurations: configuration)
    #expect(container.schema.entitiesByName.keys.sorted() == ["Author", "Book", "Tag"])
    #expect(container.configurations == [configuration])
    #expect(container.migrationPlan == nil)
    let identifier = try #require(container.storeIdentifier(forConfigurationNamed: "library"))
    #expect(container.configurationName(forStoreIdentifier: identifier) == "library")
    #expect(container.storeIdentifier(forConfigurationNamed: "other") == nil)
    let again = try ModelContainer(for: Author.self, configurations: configuration)
    #expect(again.storeIdentifier(forConfigurationNamed: "library") == identifier)
  }

  @Test("A container has one main context, which autosaves")
  @MainActor func mainContextSaves() throws {
    let container = try makeLibrary()
    #expect(container.mainContext === container.mainContext)
    #expect(container.mainContext.autosaveEnabled)
    #expect(container.mainContext.container == container)
  }

  @Test("The default store is in the user's data folder", arguments: ["XDG_DATA_HOME", "HOME"])
  func defaultStoreLocation(variable: String) async throws {
    await #expect(processExitsWith: .success) { [variable = variable as String, path = folder.url.path as String] in
      unsetenv("XDG_DATA_HOME")
      setenv(variable, path, 1)
      let container = try ModelContainer(for: First.Item.self)
      let context = ModelContext(container)
      context.insert(First.Item(title: "a"))
      try context.save()
      let program = try #require(CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent })
      let folder = variable == "HOME" ? "\(path)/.local/share" : path
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(program)/default.store"))
      _ = try ModelContainer(for: First.Item.self, configurations: ModelConfiguration("named"))
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(program)/named.store"))
    }
  }
}
