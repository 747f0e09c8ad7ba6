import Foundation

/// The lines of a tab-separated table with `#` comments.
struct TableReader {
  let text: String
  let file: String

  /// A line with data.
  struct Row {
    let line: Substring
    let number: Int
    let file: String
  }

  /// Reads each line of data, in order.
  func rows<Value>(
    _ parse: (Row) throws(ZoneTableError) -> Value
  ) throws(ZoneTableError) -> [Value] {
    // "\r\n" is one character in Swift.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    var values: [Value] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      values.append(try parse(Row(line: line, number: index + 1, file: file)))
    }
    guard !values.isEmpty else { throw .empty(file: file) }
    return values
  }
}

extension TableReader.Row {
  /// The fields of the line, as many as `count` allows; `expected` says in an error what they should be.
  func fields(_ count: ClosedRange<Int>, _ expected: String) throws(ZoneTableError) -> [Substring] {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard count.contains(fields.count) else {
      let found = fields.count == 1 ? "1 field" : "\(fields.count) fields"
      throw malformed("expected \(expected), separated by tabs, and found \(found)")
    }
    return fields
  }

  /// A field of free text, which may not be empty.
  func text(_ field: Substring, _ name: String) throws(ZoneTableError) -> String {
    guard field.contains(where: { !$0.isWhitespace }) else { throw malformed("the \(name) is empty") }
    return String(field)
  }

  func malformed(_ reason: String) -> ZoneTableError {
    .malformed(file: file, line: number, reason: reason)
  }
}

/// Why a table of the tz database cannot be used.
enum ZoneTableError: Error, Equatable {
  case unreadable(file: String, reason: String)
  case empty(file: String)
  case malformed(file: String, line: Int, reason: String)
}

extension ZoneTableError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable(let file, let reason): "\(file): \(reason)"
    case .empty(let file): "\(file): the table has no entries"
    case .malformed(let file, let line, let reason): "\(file):\(line): \(reason)"
    }
  }
}
