import CSQLite
import Foundation
import Workload

/// A search in all texts of a column without an index: ASCII texts by their bytes, others by Foundation.
final class SearchTexts: Work {
  private let statement: Statement
  private let pattern: String
  private let folded: [UInt8]

  init(_ connection: Connection, _ column: String, of table: String = "NamedItem", _ pattern: String) throws {
    // The library names tables after the models.
    statement = try connection.prepare("SELECT \"\(column)\" FROM \"\(table)\"")
    self.pattern = pattern
    folded = pattern.lowercased().utf8.map { $0 }
  }

  func run() throws -> Int {
    var count = 0
    try statement.forEachRow { row in
      guard let start = sqlite3_column_text(row, 0) else { return }
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, 0)))
      if contains(bytes) { count += 1 }
    }
    return count
  }

  private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text where byte >= 0x80 {
      return String(decoding: text, as: UTF8.self).localizedStandardContains(pattern)
    }
    guard text.count >= folded.count else { return false }
    let first = folded[0]
    for start in 0...text.count - folded.count where lowercased(text[start]) == first {
      var index = 1
      while index < folded.count, lowercased(text[start + index]) == folded[index] { index += 1 }
      if index == folded.count { return true }
    }
    return false
  }

  @inline(__always)
  private func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
