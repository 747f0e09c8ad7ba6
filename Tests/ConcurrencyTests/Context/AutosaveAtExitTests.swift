import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// More of this is in `AutosaveProgramTests`, with a program whose `main` is not asynchronous as that of tests is.
@Suite("Autosave in a program of its own", .timeLimit(.minutes(5)))
struct AutosaveAtExitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A program that runs nothing but the main actor saves at the end of a turn, and what is left at its own")
  func mainActor() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.onMainActor(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["end", "made", "main"])
  }

  @Test("What a context writes when the program ends is not written in part, and neither is what others save there")
  func whileWriting() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.whileWriting(path)
    }
    let container = try ModelContainer(for: Perch.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Perch.self, by: \.number).map(\.number) == [0])
  }

  @Test("What an observer of the last save changes is saved as well")
  func observer() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.withObserver(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["main", "observed"])
  }

  @Test("Two threads that end the program lose nothing, and contexts save in the order of their changes")
  func twoEnds() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.twice(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["9", "far"])
  }

  @Test("What failed before is tried once more")
  func failedBefore() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      try await Ending.afterFailure(path)
    }
    let container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file()))
    #expect(try ModelContext(container).all(Tag.self, by: \.word).map(\.word) == ["main"])
  }
}

/// Ways in which a program ends.
@MainActor
private enum Ending {
  // Kept to the end.
  private static var container: ModelContainer?
  private static var listener: Listener?

  private static func open(_ type: any PersistentModel.Type, _ path: String) throws -> ModelContext {
    let container = try ModelContainer(
      for: Schema([type]), configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    self.container = container
    return container.mainContext
  }

  /// A context that is made by hand.
  private static func makeContext(_ container: ModelContainer) -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    return context
  }

  /// Another thread ends the program, waits for the main actor, which ends it as well.
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
    // One of an executor, which saves at the end of the program only, and elsewhere: the main queue is not free then.
    let (far, turns) = (makeContext(context.container), Turns())
    let executor = turns.during { () -> DefaultSerialModelExecutor in
      far.insert(Tag("far"))
      return DefaultSerialModelExecutor(modelContext: far)
    }
    let listener = Listener(ModelContext.didSave, of: far)
    let isEnding = DispatchSemaphore(value: 0)
    listener.action = { isEnding.signal() }
    withExtendedLifetime((turns, executor, listener)) {
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
    // Behind the end of the turn in which they were changed.
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
    let listener = Listener(ModelContext.didSave, of: context)
    self.listener = listener
    let other = makeContext(context.container)
    listener.action = { other.insert(Tag("observed")) }
    context.insert(Tag("main"))
    exit(0)
  }

  static func afterFailure(_ path: String) throws {
    let context = try open(Tag.self, path)
    let turns = Turns()
    turns.during { context.insert(Tag("main")) }
    // Nobody else saves inside a transaction of another context.
    try ModelContext(context.container).transaction { turns.end() }
    exit(context.autosaveFailure == nil ? 1 : 0)
  }
}
