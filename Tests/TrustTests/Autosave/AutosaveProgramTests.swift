import Foundation
import HelperPrograms
import KillTestModels
import SwiftData
import Testing

@testable import TestSupport

@Suite("Programs whose contexts save by themselves", .timeLimit(.minutes(5)))
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

  /// What is stored when a program has ended in an orderly way.
  private func words(after program: HelperProcess) throws -> [String] {
    let ending = try program.end()
    #expect(ending.isOrderly, "\(ending.status) \(ending.complaint)")
    return try storedWords()
  }

  @Test("A program that lives on saves at the end of a turn", arguments: ["dispatch", "runLoop"])
  func livingOn(loop: String) throws {
    let program = try start(loop, "never")
    _ = try comesTrueHere { try storedWords().count >= 3 || !program.isRunning }
    #expect(try storedWords() == ["actor", "made", "main"])
    program.send(SIGKILL)
    #expect(try program.end().reason == .uncaughtSignal)
  }

  @Test("What is left when main ends is saved")
  func endOfMain() throws {
    #expect(try words(after: start("none", "ofMain")) == ["made", "main"])
  }

  @Test("What is left when a handler of SIGTERM ends the program is saved", arguments: ["dispatch", "runLoop"])
  func signal(loop: String) throws {
    let program = try start(loop, "signal")
    _ = program.nextOutput()
    program.send(SIGTERM)
    #expect(try words(after: program) == ["made", "main"])
  }

  @Test("What is left when another thread ends the program is saved", arguments: ["dispatch", "runLoop"])
  func otherThread(loop: String) throws {
    #expect(try words(after: start(loop, "otherThread")) == ["made", "main"])
  }

  @Test("Nothing is saved of a transaction in which the program ends")
  func transaction() throws {
    #expect(try words(after: start("none", "transaction")) == [])
  }

  @Test("What an actor has changed that ends the program is saved")
  func endedByActor() throws {
    #expect(try words(after: start("dispatch", "actor")) == ["actor"])
  }

  @Test("The end of a program waits for an actor that is in the middle of something")
  func busyActor() throws {
    #expect(try words(after: start("none", "busyActor")) == ["actor", "made", "main"])
  }

  @Test("The end of a program does not wait for an actor for long, and saves all else")
  func stuckActor() throws {
    #expect(try words(after: start("none", "stuckActor")) == ["made", "main"])
  }
}
