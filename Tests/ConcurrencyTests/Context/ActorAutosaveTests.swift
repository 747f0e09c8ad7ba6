import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@ModelActor
private actor Tagger {
  private(set) var isSavedInIsolation = false
  private(set) var saveCount = 0

  func add(_ name: String, autosaves: Bool = true) {
    modelContext.autosaveEnabled = autosaves
    modelContext.insert(Tag(name))
  }

  init(executorLate container: ModelContainer) {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.insert(Tag("a"))
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  var hasChanges: Bool { modelContext.hasChanges }

  private var token: (any NSObjectProtocol)?

  func watch() {
    token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: modelContext, queue: nil
    ) { [weak self] _ in
      self?.assumeIsolated {
        $0.isSavedInIsolation = true
        $0.saveCount += 1
      }
    }
  }

  /// Waits until the jobs on the actor's queue have run, including the autosave of earlier changes.
  func turn() async {
    guard case .executor(let queue)? = modelContext.graph.autosaveIsolation else { return }
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  func stopWatching() {
    if let token { NotificationCenter.default.removeObserver(token) }
  }
}

@Suite("Autosave of model actors", .timeLimit(.minutes(5)))
struct ActorAutosaveTests {
  private let container: ModelContainer

  init() throws {
    container = try makeLibrary()
  }

  private func storedWords() throws -> [String] {
    try container.freshContext().fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)])).map(\.word)
  }

  @Test("A change is saved once the actor's current job ends")
  func saved() async throws {
    let tagger = Tagger(modelContainer: container)
    await tagger.add("a")
    await tagger.turn()
    #expect(try storedWords() == ["a"])
  }

  @Test("Autosave of a model actor is off by default")
  func off() async throws {
    let tagger = Tagger(modelContainer: container)
    await tagger.add("a", autosaves: false)
    #expect(await tagger.hasChanges)
    #expect(try storedWords().isEmpty)
    await tagger.add("b")
    await tagger.turn()
    #expect(try storedWords() == ["a", "b"])
  }

  @Test("The autosave runs in the actor's isolation")
  func isolation() async throws {
    let tagger = Tagger(modelContainer: container)
    await tagger.watch()
    await tagger.add("a")
    await tagger.turn()
    #expect(await tagger.isSavedInIsolation)
    await tagger.stopWatching()
  }

  @Test("An actor's changes are saved even if the actor is released immediately", arguments: 0..<20)
  func shortLived(number: Int) async throws {
    await Tagger(modelContainer: container).add("\(number)")
    // The queue may still hold the save when the actor is released.
    let isSaved = try await comesTrue { try storedWords() == ["\(number)"] }
    #expect(isSaved)
  }

  @Test("Many actors autosave, and no change is lost")
  func many() async throws {
    let taggers = (0..<40).map { _ in Tagger(modelContainer: container) }
    await withTaskGroup(of: Void.self) { group in
      for (index, tagger) in taggers.enumerated() {
        group.addTask { for number in 0..<10 { await tagger.add("\(index) \(number)") } }
      }
    }
    for tagger in taggers { await tagger.turn() }
    #expect(try storedWords().count == 400)
  }

  @Test("A context changed before its actor existed autosaves once the actor exists")
  func changedBefore() async throws {
    let tagger = Tagger(executorLate: container)
    await tagger.add("b")
    await tagger.turn()
    #expect(try storedWords() == ["a", "b"])
  }

  @Test("Several changes of one actor job are one save in the actor's isolation")
  func oneTurn() async throws {
    let turns = Turns()
    let tagger = Tagger(modelContainer: container)
    await tagger.watch()
    await turns.whileAwaiting {
      await tagger.add("a")
      await tagger.add("b")
    }
    #expect(turns.count == 1)
    #expect(try storedWords().isEmpty)
    await turns.endElsewhere()
    #expect(try storedWords() == ["a", "b"])
    #expect(await tagger.saveCount == 1)
    #expect(await tagger.isSavedInIsolation)
    await tagger.stopWatching()
  }

  @Test("A context changed on the main thread before its actor existed autosaves in the actor's isolation")
  @MainActor
  func changedOnMain() async throws {
    let turns = Turns()
    let tagger = turns.during { Tagger(executorLate: container) }
    await tagger.watch()
    #expect(turns.count == 1)
    turns.end()
    #expect(turns.count == 1)
    #expect(try storedWords().isEmpty)
    await turns.endElsewhere()
    #expect(try storedWords() == ["a"])
    #expect(await tagger.isSavedInIsolation)
    await tagger.stopWatching()
  }

  @Test("A context of no actor can be saved explicitly")
  func ownerless() throws {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.insert(Tag("a"))
    #expect(context.hasChanges)
    try context.save()
    #expect(try storedWords() == ["a"])
  }
}
