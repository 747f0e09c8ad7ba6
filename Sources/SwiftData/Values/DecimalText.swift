public import Foundation

extension Decimal: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> Decimal? {
    row.text(column).flatMap(DecimalText.decode)
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.text(DecimalText.encode(self), column)
  }
}

/// Decimals as text whose byte order is the order of the numbers, and which are equal if the numbers are.
///
/// The text begins with a sort key and ends, after a space, with the number in ordinary notation: `P502125 12.5`. The key
/// is `N`, `O` or `P` for the sign, then for `P` the exponent plus 500 and the significant digits, and for `N` the same
/// with each digit subtracted from nine and a closing `~`, so that more negative numbers come first.
package enum DecimalText {
  package static func encode(_ decimal: Decimal) -> String {
    if decimal.isNaN { return "NaN" }
    if decimal.isZero { return "O 0" }
    let plain = NSDecimalNumber(decimal: decimal.magnitude).stringValue
    let (digits, exponent) = normalized(plain)
    let written = decimal.sign == .minus ? "-\(plain)" : plain
    let key = padded(exponent + 500) + digits
    if decimal.sign == .minus {
      let complement = key.utf8.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
      return "N\(String(decoding: complement, as: UTF8.self))~ \(written)"
    }
    return "P\(key) \(written)"
  }

  package static func decode(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    let number = text.firstIndex(of: " ").map { text[text.index(after: $0)...] } ?? text[...]
    guard isNumber(number) else { return nil }
    return Decimal(string: String(number), locale: posix)
  }

  /// Whether a whole text is a number: Foundation parses a prefix, or returns zero.
  private static func isNumber(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    func skipDigits() -> Bool {
      let count = rest.count
      rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return rest.count < count
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("+-")
    let hasWhole = skipDigits()
    let hasFraction = skip(".") && skipDigits()
    guard hasWhole || hasFraction else { return false }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  private static let posix = Locale(identifier: "en_US_POSIX")

  /// The significant digits, and the position of the decimal point relative to the first of them.
  private static func normalized(_ plain: String) -> (digits: String, exponent: Int) {
    var mantissa = Substring(plain)
    var exponent = 0
    if let mark = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = Int(mantissa[mantissa.index(after: mark)...]) ?? 0
      mantissa = mantissa[..<mark]
    }
    let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    let all = parts[0] + fraction
    let leading = all.prefix { $0 == "0" }.count
    var digits = all.dropFirst(leading)
    while digits.last == "0" { digits.removeLast() }
    return (String(digits), parts[0].count - leading + exponent)
  }

  private static func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }
}
