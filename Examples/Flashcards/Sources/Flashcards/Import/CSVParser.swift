/// Parses comma-separated values according to RFC 4180.
///
/// Quoted fields may contain commas, line ends and doubled quotes. Lines end with CRLF, LF or CR.
struct CSVParser {
  struct Row: Equatable {
    /// Counted from 1, as spreadsheets do.
    let number: Int
    let fields: [String]
  }

  struct Fault: Error, Equatable {
    let row: Int
    let reason: String
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Throws: ``Fault``.
  static func rows(of bytes: some Collection<UInt8>) throws(Fault) -> [Row] {
    var parser = CSVParser()
    let withoutMark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    for byte in withoutMark { try parser.take(byte) }
    return try parser.finish()
  }

  private enum State {
    case start
    case plain
    case quoted
    /// After a quote inside of a quoted field: the quote ends the field or is the first of two.
    case quote
  }

  private var state = State.start
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var rows: [Row] = []
  private var number = 1
  private var follows = false

  private mutating func take(_ byte: UInt8) throws(Fault) {
    // The line feed of CRLF belongs to the line that the carriage return ended.
    let endsWithReturn = follows
    follows = false
    if state == .quoted {
      if byte == Self.quote { state = .quote } else { field.append(byte) }
      return
    }
    switch byte {
    case Self.comma: try endField()
    case Self.lineFeed where endsWithReturn && state == .start && fields.isEmpty: break
    case Self.lineFeed: try endRow()
    case Self.carriageReturn:
      try endRow()
      follows = true
    case Self.quote where state == .start: state = .quoted
    case Self.quote where state == .quote:
      field.append(byte)
      state = .quoted
    default:
      if state == .quote { throw Fault(row: number, reason: "There is text behind a quoted field.") }
      if byte == Self.quote { throw Fault(row: number, reason: "There is a quote inside of a field without quotes.") }
      field.append(byte)
      state = .plain
    }
  }

  private mutating func endField() throws(Fault) {
    guard let text = String(validating: field, as: UTF8.self) else {
      throw Fault(row: number, reason: "The text is not UTF-8.")
    }
    fields.append(text)
    field.removeAll(keepingCapacity: true)
    state = .start
  }

  private mutating func endRow() throws(Fault) {
    // An empty line is not a row, but has a number.
    if state != .start || !fields.isEmpty {
      try endField()
      rows.append(Row(number: number, fields: fields))
      fields = []
    }
    number += 1
  }

  private mutating func finish() throws(Fault) -> [Row] {
    if state == .quoted { throw Fault(row: number, reason: "A quoted field has no end.") }
    try endRow()
    return rows
  }
}
