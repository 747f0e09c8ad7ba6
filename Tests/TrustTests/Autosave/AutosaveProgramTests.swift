import Foundation
import HelperPrograms
import KillTestModels
import SwiftData
import Testing

@testable import TestSupport

@Suite("Programs with autosaving contexts", .timeLimit(.minutes(5)))
struct AutosaveProgramTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try openLedgers(at: folder.file())
  }

  private func storedWords() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Mark>(sortBy: [SortDescriptor(\.word)])).map(\.word)
  }

  private func start(_ loop: String, _ ending: String) throws -> HelperProcess {
    try HelperProcess("AutosaveTestProgram", [folder.file().path, loop, ending])
  }

  /// The stored words after a program has exited normally.
  private func words(after program: HelperProcess) throws -> [String] {
    let ending = try program.end()
    #expect(ending.isOrderly, "\(ending.status) \(ending.complaint)")
    return try storedWords()
  }

  @Test("A running program saves at the end of a turn", arguments: ["dispatch", "runLoop"])
  func livingOn(loop: String) throws {
    let program = try start(loop, "never")
    _ = try comesTrueHere { try storedWords().count >= 3 || !program.isRunning }
    #expect(try storedWords() == ["actor", "made", "main"])
    program.send(SIGKILL)
    #expect(try program.end().reason == .uncaughtSignal)
  }

  @Test("Unsaved changes are saved when main ends")
  func endOfMain() throws {
    #expect(try words(after: start("none", "ofMain")) == ["made", "main"])
  }

  @Test("Unsaved changes are saved when a handler of SIGTERM exits", arguments: ["dispatch", "runLoop"])
  func signal(loop: String) throws {
    let program = try start(loop, "signal")
    _ = program.nextOutput()
    program.send(SIGTERM)
    #expect(try words(after: program) == ["made", "main"])
  }

  @Test("Unsaved changes are saved when another thread exits", arguments: ["dispatch", "runLoop"])
  func otherThread(loop: String) throws {
    #expect(try words(after: start(loop, "otherThread")) == ["made", "main"])
  }

  @Test("Exiting inside a transaction saves nothing of it")
  func transaction() throws {
    #expect(try words(after: start("none", "transaction")) == [])
  }

  @Test("Changes of an actor that exits the program are saved")
  func endedByActor() throws {
    #expect(try words(after: start("dispatch", "actor")) == ["actor"])
  }

  @Test("At exit the program waits for an actor's current job")
  func busyActor() throws {
    #expect(try words(after: start("none", "busyActor")) == ["actor", "made", "main"])
  }

  @Test("At exit the program waits only briefly for an actor, and saves all other changes")
  func stuckActor() throws {
    #expect(try words(after: start("none", "stuckActor")) == ["made", "main"])
  }
}
