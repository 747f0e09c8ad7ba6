import Foundation
import Testing

@Suite("The terminal list")
struct TerminalListTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "terminal-list \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test("A list follows commands and the saves of another process")
  func followsAnotherProcess() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "tasks.store").path
    let list = try RunningProgram(store)
    #expect(try list.nextList(of: 0).isEmpty)
    try list.enter("add Water the plants")
    #expect(try list.nextList(of: 1) == ["1. [ ] Water the plants"])

    let other = try RunningProgram(store, "--add", "3")
    #expect(other.end() == 0)
    #expect(
      try list.nextList(of: 4)
        == ["1. [ ] Water the plants", "2. [ ] ! Task 1", "3. [ ] !! Task 2", "4. [ ] !!! Task 3"])

    try list.enter("sort priority")
    #expect(
      try list.nextList(of: 4)
        == ["1. [ ] !!! Task 3", "2. [ ] !! Task 2", "3. [ ] ! Task 1", "4. [ ] Water the plants"])
    try list.enter("filter task")
    _ = try list.nextList(of: 3)
    try list.enter("done 2")
    #expect(try list.nextList(of: 3) == ["1. [ ] !!! Task 3", "2. [x] !! Task 2", "3. [ ] ! Task 1"])
    try list.enter("delete 1")
    #expect(try list.nextList(of: 2) == ["1. [x] !! Task 2", "2. [ ] ! Task 1"])
    try list.enter("quit")
    #expect(list.end() == 0)
  }

  @Test("A count that is not positive is refused")
  func refusesCount() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try RunningProgram(folder.appending(path: "tasks.store").path, "--add", "0").end() == 64)
  }
}

/// The program while it runs: a test writes its input, and reads its output.
private final class RunningProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(_ arguments: String...) throws {
    // Beside the test bundle, which on Linux is the running program.
    let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
    let folder = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    process.executableURL = folder.appending(path: "terminal-list")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Stops a program that does not answer, so that the test reads the end of its output.
    let process = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { if process.isRunning { process.terminate() } }
  }

  func enter(_ command: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
  }

  /// The lines of the next list with so many tasks, without their dates.
  func nextList(of count: Int) throws -> [String] {
    while try line() != (count == 1 ? "1 task" : "\(count) tasks") {}
    return try (0..<count).map { _ in String(try line().prefix { $0 != "(" }.dropLast()) }
  }

  private func line() throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "The program ended.")
      unread += data
    }
  }

  /// Waits for the end of the program.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
