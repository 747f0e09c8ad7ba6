import Foundation
import KillTestModels
import SwiftData

/// Saves until it is killed, with a line for each save; or counts up a number of times; or creates documents, or only keeps one
/// open.
@main
enum KillTestWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch (arguments.count, arguments.count > 2 ? Int(arguments[2]) : nil) {
    case (2, _):
      let writer = try LedgerWriter(openLedgers(at: URL(fileURLWithPath: arguments[1])))
      while true {
        let number = try writer.writeNext()
        try FileHandle.standardOutput.write(contentsOf: Data("saved \(number)\n".utf8))
      }
    case (3, let count?):
      try LedgerWriter.count(count, in: openLedgers(at: URL(fileURLWithPath: arguments[1])))
    case (3, nil) where arguments[1] == "documents":
      try LedgerDocuments.run(in: URL(fileURLWithPath: arguments[2])) { deed, number in
        try FileHandle.standardOutput.write(contentsOf: Data("\(deed) \(number)\n".utf8))
      }
    case (3, nil) where arguments[1] == "hold":
      let document = try PersistentDocument(
        openingAt: URL(fileURLWithPath: arguments[2]), type: .ledgers, for: .exclusiveEditing)
      try FileHandle.standardOutput.write(contentsOf: Data("open\n".utf8))
      _ = readLine()
      try document.close()
    default:
      FileHandle.standardError.write(
        Data("usage: KillTestWriter STORE [COUNT] | documents FOLDER | hold DOCUMENT\n".utf8))
      exit(2)
    }
  }
}
