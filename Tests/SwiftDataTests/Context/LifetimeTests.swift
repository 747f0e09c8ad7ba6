import Dispatch
import Foundation
import SwiftData
import Testing

@testable import TestSupport

extension ModelContext {
  convenience init(library: Void) throws {
    self.init(try makeLibrary())
  }
}

extension ModelContainer {
  convenience init(tagsNamed name: String) throws {
    try self.init(for: Tag.self, configurations: ModelConfiguration(name, isStoredInMemoryOnly: true))
  }
}

@Suite("Lifetime of contexts and containers")
struct LifetimeTests {
  @Test("A context retains its container")
  func container() throws {
    var container: ModelContainer? = try makeLibrary()
    let context = ModelContext(try #require(container))
    weak let reference = container
    container = nil
    #expect(reference != nil)
    context.insert(Tag("a"))
    try context.save()
    #expect(try context.container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test("The main context works after its container is released")
  @MainActor
  func mainContext() throws {
    func make() throws -> ModelContext { try makeLibrary().mainContext }
    let context = try make()
    context.insert(Tag("a"))
    try context.save()
    #expect(context.container.mainContext === context)
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test("ModelContext.init is a function of a container")
  func functionValue() throws {
    let make: (ModelContainer) -> ModelContext = ModelContext.init
    let containers = [try makeLibrary(), try makeLibrary()]
    let contexts = containers.map(ModelContext.init)
    #expect(contexts[0].container == containers[0])
    #expect(make(containers[1]).container === containers[1])
    #expect(contexts[0] != contexts[1])
    #expect(contexts[0] == contexts[0])
  }

  @Test("ModelContext and ModelContainer take convenience initializers in extensions")
  func convenience() throws {
    let context = try ModelContext(library: ())
    context.insert(Tag("a"))
    try context.save()
    let container = try ModelContainer(tagsNamed: "tags")
    #expect(container.configurations.first?.name == "tags")
  }

  @Test("A context has an author and an autosave setting, and its description counts pending changes")
  func properties() throws {
    let context = ModelContext(try makeLibrary())
    #expect(!context.autosaveEnabled)
    context.author = "me"
    #expect(context.author == "me")
    #expect(context.editingState.author == "me")
    context.insert(Tag("a"))
    #expect(context.debugDescription.contains("inserted: 1"))
  }

  @Test("The main context saves by itself once its actor is free")
  @MainActor
  func autosave() async throws {
    let container = try makeLibrary()
    let context = container.mainContext
    #expect(context.autosaveEnabled)
    context.insert(Tag("a"))
    #expect(context.hasChanges)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(!context.hasChanges)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test("A context without autosave leaves changes pending")
  @MainActor
  func noAutosave() async throws {
    let container = try makeLibrary()
    let context = container.mainContext
    context.autosaveEnabled = false
    context.insert(Tag("a"))
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(context.hasChanges)
  }

  @Test("Enabling autosave saves changes that are already pending")
  @MainActor
  func autosaveOfPending() async throws {
    let container = try makeLibrary()
    let context = container.mainContext
    context.autosaveEnabled = false
    context.insert(Tag("a"))
    context.autosaveEnabled = true
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(!context.hasChanges)
  }

  @Test("A failed autosave leaves all changes pending")
  @MainActor
  func failingAutosave() async throws {
    let container = try makeRules()
    let context = container.mainContext
    let team = Team("t")
    context.insert(team)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(context.hasChanges)
    team.players = [Player("p")]
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(!context.hasChanges)
  }
}
