import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// See also `AutosaveProgramTests`, whose program has a `main` that is not asynchronous.
@Suite("Autosave when a program exits", .timeLimit(.minutes(5)))
struct AutosaveAtExitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A program that uses only the main actor autosaves at the end of each turn, and at exit")
  func mainActor() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.onMainActor(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["end", "made", "main"])
  }

  @Test("At exit no save is written in part, neither the autosave nor another thread's save")
  func whileWriting() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.whileWriting(path)
    }
    let container = try ModelContainer(for: Perch.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Perch.self, by: \.number).map(\.number) == [0])
  }

  @Test("Changes made by an observer of the last save are saved too")
  func observer() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.withObserver(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["main", "observed"])
  }

  @Test("When two threads exit at once no change is lost, and contexts save in the order of their changes")
  func twoEnds() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.twice(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["9", "far"])
  }

  @Test("An autosave that failed before is retried at exit")
  func failedBefore() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.afterFailure(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["main"])
  }
}

/// Ways in which a program exits.
@MainActor
private enum Ending {
  // Retained until exit.
  private static var container: ModelContainer?
  private static var saves: NotificationCounter?

  private static func open(_ type: any PersistentModel.Type, _ path: String) throws -> ModelContext {
    let container = try ModelContainer(
      for: Schema([type]), configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    self.container = container
    return container.mainContext
  }

  /// A context with autosave enabled by its creator.
  private static func makeContext(_ container: ModelContainer) -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    return context
  }

  /// Another thread exits, and waits for the main actor, which exits as well.
  static func twice(_ path: String) throws {
    let context = try open(Tag.self, path)
    context.autosaveEnabled = false
    let tag = Tag("0")
    context.insert(tag)
    try context.save()
    let identifier = tag.persistentModelID
    for number in 1...9 {
      let other = makeContext(context.container)
      (other.model(for: identifier) as? Tag)?.word = "\(number)"
    }
    // The executor's context saves only at exit or on its own queue, because the main queue is busy.
    let (far, turns) = (makeContext(context.container), Turns())
    let executor = turns.during { () -> DefaultSerialModelExecutor in
      far.insert(Tag("far"))
      return DefaultSerialModelExecutor(modelContext: far)
    }
    let saves = NotificationCounter(ModelContext.didSave, of: far)
    let isEnding = DispatchSemaphore(value: 0)
    saves.action = { isEnding.signal() }
    withExtendedLifetime((turns, executor, saves)) {
      Thread.detachNewThread { exit(0) }
      isEnding.wait()
      exit(0)
    }
  }

  static func onMainActor(_ path: String) async throws {
    let context = try open(Tag.self, path)
    let other = makeContext(context.container)
    context.insert(Tag("main"))
    other.insert(Tag("made"))
    // After the end of the turn in which they were changed.
    await MainQueue.turn()
    let areSaved = !context.hasChanges && !other.hasChanges
    context.insert(Tag("end"))
    exit(areSaved ? 0 : 1)
  }

  static func whileWriting(_ path: String) throws {
    let context = try open(Perch.self, path)
    context.insert(Perch(0))
    try context.save()
    makeContext(context.container).insert(Perch(1))
    context.insert(Perch(2))
    try Parrot.$whileEncoding.withValue(Parrot.Call { exit(0) }) { try context.save() }
    Issue.record("The save encoded nothing.")
  }

  static func withObserver(_ path: String) throws {
    let context = try open(Tag.self, path)
    let saves = NotificationCounter(ModelContext.didSave, of: context)
    self.saves = saves
    let other = makeContext(context.container)
    saves.action = { other.insert(Tag("observed")) }
    context.insert(Tag("main"))
    exit(0)
  }

  static func afterFailure(_ path: String) throws {
    let context = try open(Tag.self, path)
    let turns = Turns()
    turns.during { context.insert(Tag("main")) }
    // No other context can save inside a transaction.
    try ModelContext(context.container).transaction { turns.end() }
    exit(context.autosaveFailure == nil ? 1 : 0)
  }
}
