import Relational
import SystemPostgres

/// A value of the store, bound to a parameter whose type may not be known yet.
struct BoundValue {
  var kind = RowBatch.Kind.null
  /// The number.
  var bits: Int64 = 0
  /// The bytes of a text or blob. They stay allocated for the next value.
  var bytes: [UInt8] = []

  mutating func set(_ kind: RowBatch.Kind, _ bits: Int64 = 0) {
    self.kind = kind
    self.bits = bits
    bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
  }

  mutating func set(_ kind: RowBatch.Kind, _ value: UnsafeRawBufferPointer) {
    set(kind)
    bytes.append(contentsOf: value)
  }

  /// The value as a literal, for reports.
  var literal: String {
    switch kind {
    case .null: "NULL"
    case .integer: String(bits)
    case .real: "\(Double(bitPattern: UInt64(bitPattern: bits)))"
    case .text:
      "'"
        + String(decoding: bytes, as: UTF8.self).split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    case .blob:
      "'\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}

extension BoundValue {
  /// A statement with literals instead of its parameters.
  static func expand(_ sql: String, _ values: [BoundValue]) -> String {
    var result: [UInt8] = []
    var rest = sql.utf8[...]
    var quote: UInt8?
    while let byte = rest.popFirst() {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "$") {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if let position = Int(String(Substring(digits))), position > 0 {
          rest.removeFirst(digits.count)
          result += Array((position <= values.count ? values[position - 1] : BoundValue()).literal.utf8)
          continue
        }
      }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
