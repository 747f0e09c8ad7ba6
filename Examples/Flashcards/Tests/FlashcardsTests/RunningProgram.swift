import Foundation

/// The built program, listening on a port of its own.
final class RunningProgram {
  struct EndedEarly: Error {
    let output: String
  }

  let port: UInt16
  /// The line that the program prints when it is ready.
  let line: String
  private let process = Process()

  /// Returns when the program listens.
  ///
  /// - Throws: ``EndedEarly``.
  init(_ document: URL) throws {
    let output = Pipe()
    process.executableURL = Self.buildFolder.appending(path: "flashcards")
    process.arguments = [document.path, "--port", "0"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    guard text.hasSuffix("\n"), let port = text.dropLast().split(separator: ":").last.flatMap({ UInt16($0) }) else {
      process.waitUntilExit()
      throw EndedEarly(output: text)
    }
    line = String(text.dropLast())
    self.port = port
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// - Returns: The exit code.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Where SwiftPM puts executables: beside the test bundle, which on Linux is the running program.
  private static var buildFolder: URL {
    let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }
}
