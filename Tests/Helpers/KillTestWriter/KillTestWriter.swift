import Foundation
import KillTestModels

/// Saves until it is killed, and says so after each save.
@main
enum KillTestWriter {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: KillTestWriter STORE\n".utf8))
      exit(2)
    }
    let writer = try LedgerWriter(openLedgers(at: URL(fileURLWithPath: CommandLine.arguments[1])))
    while true {
      let number = try writer.writeNext()
      try FileHandle.standardOutput.write(contentsOf: Data("saved \(number)\n".utf8))
    }
  }
}
