import Foundation
import Logging
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Autosave on the main thread", .timeLimit(.minutes(5)))
struct AutosaveTests {
  private let container: ModelContainer
  private let turns = Turns()

  init() throws {
    container = try makeLibrary()
  }

  private func storedWords() throws -> [String] {
    try container.freshContext().fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)])).map(\.word)
  }

  /// The main context, or one that is made on the main thread.
  @MainActor
  private func makeContext(isMain: Bool = false) -> ModelContext {
    if isMain { return container.mainContext }
    let context = ModelContext(container)
    context.autosaveEnabled = true
    return context
  }

  @Test("A context made on the main thread autosaves once autosaveEnabled is set")
  @MainActor
  func madeOnMain() async throws {
    let context = ModelContext(container)
    #expect(!context.autosaveEnabled)
    context.autosaveEnabled = true
    context.insert(Tag("a"))
    await MainQueue.turn()
    #expect(!context.hasChanges)
    #expect(try storedWords() == ["a"])
  }

  @Test("A context without references is retained until it has saved, and no longer")
  @MainActor
  func released() async throws {
    weak var graph: ObjectGraph?
    do {
      let context = makeContext()
      context.insert(Tag("a"))
      graph = context.graph
    }
    #expect(graph != nil)
    await MainQueue.turn()
    #expect(try storedWords() == ["a"])
    #expect(await isGone(graph))
  }

  // MARK: Turns

  @Test("All changes of a turn are saved together at its end, and not before", arguments: [true, false])
  @MainActor
  func oneTurn(isMain: Bool) throws {
    let context = makeContext(isMain: isMain)
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    turns.during {
      for word in ["a", "b", "c"] { context.insert(Tag(word)) }
    }
    #expect(turns.count == 1)
    #expect(try storedWords().isEmpty)
    #expect(saves.count == 0)
    turns.end()
    #expect(saves.count == 1)
    #expect(try storedWords() == ["a", "b", "c"])
    #expect(!context.hasChanges)
    #expect(turns.count == 0)
  }

  @Test("Changes by an observer of didSave are saved at the end of the next turn", arguments: [true, false])
  @MainActor
  func changingObserver(isMain: Bool) throws {
    let context = makeContext(isMain: isMain)
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    saves.action = { if saves.count == 1 { context.insert(Tag("b")) } }
    turns.during { context.insert(Tag("a")) }
    turns.end()
    #expect(try storedWords() == ["a"])
    #expect(turns.count == 1)
    turns.end()
    #expect(try storedWords() == ["a", "b"])
    #expect(saves.count == 2)
    #expect(turns.count == 0)
    saves.action = {}
  }

  @Test("Changes by an observer of willSave are saved with the rest")
  @MainActor
  func changingBefore() throws {
    let context = makeContext()
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    let beginnings = NotificationCounter(ModelContext.willSave, of: context)
    beginnings.action = { context.insert(Tag("b")) }
    turns.during { context.insert(Tag("a")) }
    turns.end()
    #expect(try storedWords() == ["a", "b"])
    turns.end()
    #expect(saves.count == 1)
    #expect(beginnings.count == 1)
    beginnings.action = {}
  }

  @Test("After an explicit save nothing is saved at the end of the turn")
  @MainActor
  func savedByHand() throws {
    let context = makeContext()
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    try turns.during {
      context.insert(Tag("a"))
      try context.save()
    }
    turns.end()
    #expect(saves.count == 1)
    turns.during { context.insert(Tag("b")) }
    turns.end()
    #expect(saves.count == 2)
    #expect(try storedWords() == ["a", "b"])
  }

  @Test("Disabling autosave before the end of the turn defers the save until it is enabled again")
  @MainActor
  func switched() throws {
    let context = makeContext()
    turns.during { context.insert(Tag("a")) }
    context.autosaveEnabled = false
    turns.end()
    #expect(context.hasChanges)
    #expect(try storedWords().isEmpty)
    turns.during { context.autosaveEnabled = true }
    turns.end()
    #expect(!context.hasChanges)
    #expect(try storedWords() == ["a"])
  }

  // MARK: Transactions

  @Test("A transaction saves the turn's earlier changes, and leaves nothing to autosave")
  @MainActor
  func transaction() throws {
    let context = makeContext()
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    try turns.during {
      context.insert(Tag("a"))
      try context.transaction { context.insert(Tag("b")) }
    }
    #expect(try storedWords() == ["a", "b"])
    turns.end()
    #expect(saves.count == 1)
  }

  @Test("A turn that ends inside a transaction leaves the save to the transaction")
  @MainActor
  func turnInTransaction() throws {
    let context = makeContext()
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    try turns.during {
      try context.transaction {
        context.insert(Tag("a"))
        turns.end()
        #expect(saves.count == 0)
      }
    }
    #expect(saves.count == 1)
    #expect(try storedWords() == ["a"])
  }

  @Test("Changes of a throwing transaction are saved at the end of the turn, unless they are rolled back")
  @MainActor
  func throwingTransaction() throws {
    let context = makeContext()
    for (word, isRolledBack) in [("a", true), ("b", false)] {
      #expect(throws: CancellationError.self) {
        try turns.during {
          try context.transaction {
            context.insert(Tag(word))
            throw CancellationError()
          }
        }
      }
      if isRolledBack { context.rollback() }
      #expect(turns.count == 1)
      turns.end()
    }
    #expect(try storedWords() == ["b"])
  }

  // MARK: Exit

  @Test("Unsaved changes that a delete rule refuses are reported as lost at exit")
  func endOfProgram() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let context = try makeRules().mainContext
        context.insert(Line("l", Invoice(1)))
        try context.save()
        context.delete(try context.only(Invoice.self))
        exit(EXIT_SUCCESS)
      }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("The program ends with unsaved changes, which are lost"), "\(words.suffix(1000))")
    #expect(!words.contains("is tried again"))
  }

  // MARK: Off the main thread

  @Test("A context made off the main thread warns once that it does not autosave")
  func madeElsewhere() async {
    await #expect(processExitsWith: .success) {
      let recorder = RecordingHandler()
      LoggingSystem.bootstrap { _ in recorder }
      try await Task.detached { try changeElsewhere(recorder) }.value
    }
  }
}

private func changeElsewhere(_ recorder: RecordingHandler) throws {
  func warningCount() -> Int {
    recorder.messages.count { $0.hasPrefix("warning: autosaveEnabled") }
  }
  let container = try makeLibrary()
  for expected in [0, 1] {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    #expect(warningCount() == expected)
    for word in ["a", "b"] {
      context.insert(Tag(word))
      #expect(warningCount() == 1)
    }
    #expect(context.hasChanges)
    try context.save()
  }
}
