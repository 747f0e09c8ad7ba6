import Foundation
import Reporting

/// SQLAlchemy's objects with psycopg, as a figure from outside.
struct SQLAlchemy {
  static let name = "SQLAlchemy"
  private static let program = "Benchmarks/sqlalchemy-peer"

  let url: String
  let namespace: String
  let rounds: Int

  func callAsFunction() throws {
    let folder = NSTemporaryDirectory() + "bench_sqlalchemy_\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [Self.program, folder, url, namespace, String(rounds)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      return print("\nSQLAlchemy is left out: it could not be installed or run.")
    }
    // Each line has the name of an operation, a tabulator, and seconds.
    let rows = text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      return [String(parts[0]), parts.count > 1 ? Double(parts[1]).map { "\(($0 * 1_000).shortened) ms" } ?? "–" : ""]
    }
    print("\n" + TextTable(header: ["operation", "SQLAlchemy"], rows: rows).text)
  }
}
