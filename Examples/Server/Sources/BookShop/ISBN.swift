/// An ISBN of thirteen digits, with or without hyphens, with a valid check digit.
struct ISBN: Hashable, Sendable, LosslessStringConvertible {
  /// The thirteen digits.
  let description: String

  init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 13, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    let sum = digits.enumerated().reduce(0) { sum, digit in
      sum + Int(digit.element - UInt8(ascii: "0")) * (digit.offset.isMultiple(of: 2) ? 1 : 3)
    }
    guard sum.isMultiple(of: 10) else { return nil }
    description = String(decoding: digits, as: UTF8.self)
  }
}
