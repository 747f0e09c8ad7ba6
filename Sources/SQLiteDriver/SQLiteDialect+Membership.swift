package import Relational

extension SQLiteDialect {
  /// How many values are written as parameters of their own before one parameter carries them all.
  private static var plainListLimit: Int { 200 }
  /// How many parameters a statement may have, unless SQLite was built otherwise.
  private static var parameterLimit: Int { 32_766 }

  package func writeMembership(
    of expression: Expression, in values: [Value], to writer: inout SQLWriter<SQLiteDialect>
  ) {
    if values.count <= Self.plainListLimit {
      writer.writePlainMembership(of: expression, in: values)
      return
    }
    var json: [Value] = []
    var plain: [Value] = []
    for value in values {
      if JSONArray.canHold(value) { json.append(value) } else { plain.append(value) }
    }

    var needsOr = false
    let needsParentheses = !json.isEmpty && !plain.isEmpty || plain.count > Self.parameterLimit
    if needsParentheses { writer.write("(") }
    if !json.isEmpty {
      writer.write(operand: expression)
      writer.write(" IN (SELECT value FROM json_each(")
      writer.bind(.text(JSONArray.encode(json)))
      writer.write("))")
      needsOr = true
    }
    for start in stride(from: 0, to: plain.count, by: Self.parameterLimit) {
      if needsOr { writer.write(" OR ") }
      writer.writePlainMembership(
        of: expression, in: Array(plain[start..<min(start + Self.parameterLimit, plain.count)]))
      needsOr = true
    }
    if needsParentheses { writer.write(")") }
  }
}

/// A JSON array of integers and texts, which SQLite reads back as exactly those.
private enum JSONArray {
  static func canHold(_ value: Value) -> Bool {
    switch value {
    case .integer: true
    // SQLite cuts a JSON text off at a zero byte.
    case .text(let text): !text.utf8.contains(0)
    case .null, .real, .blob: false
    }
  }

  static func encode(_ values: [Value]) -> String {
    var json: [UInt8] = []
    json.reserveCapacity(values.count * 12)
    json.append(UInt8(ascii: "["))
    for value in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      switch value {
      case .integer(let integer): json += String(integer).utf8
      case .text(let text): append(text, to: &json)
      case .null, .real, .blob: break
      }
    }
    json.append(UInt8(ascii: "]"))
    return String(decoding: json, as: UTF8.self)
  }

  private static func append(_ text: String, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        json += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        json += "\\u00".utf8
        json += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default:
        json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
  }
}
