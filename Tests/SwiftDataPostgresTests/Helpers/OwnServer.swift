import Foundation

/// A database server of a test's own, which the test can stop, start and configure.
final class OwnServer: Sendable {
  let url: String
  private let folder: String

  init() throws {
    folder = "/tmp/osd-trust.\(UUID().uuidString.prefix(8))"
    url = "postgresql:///postgres?host=\(folder)&user=postgres"
    try start()
  }

  deinit {
    try? stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func start() throws { try run("start") }
  func stop() throws { try run("stop") }

  /// Replaces the rules for who may connect how, which hold after the server has read them again.
  func setRules(_ rules: String) throws {
    // The file keeps its owner.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/data/pg_hba.conf"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(rules.utf8))
    try file.close()
  }

  private func run(_ command: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let script = root.appendingPathComponent("scripts/postgres").path
    // Not a `Process`, which would wait for the server as well.
    let status = system("'\(script)' \(command) '\(folder)' </dev/null >/dev/null 2>&1")
    guard status == 0 else { throw Failure(command: command, status: status) }
  }

  struct Failure: Error {
    let command: String
    let status: Int32
  }
}
