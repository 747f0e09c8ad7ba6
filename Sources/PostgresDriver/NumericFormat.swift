/// The binary format of the type numeric: a header of four 16-bit integers, and digits of base 10,000.
///
/// The header has the number of digits, the weight of the first digit as a power of 10,000, the sign, and the number of decimal
/// places to show.
enum NumericFormat {
  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xc000
  private static let positiveInfinity: UInt16 = 0xd000
  private static let negativeInfinity: UInt16 = 0xf000

  // MARK: Writing

  static func append(_ integer: Int64, to bytes: inout [UInt8]) {
    append(magnitude: integer.magnitude, isNegative: integer < 0, to: &bytes)
  }

  static func append(magnitude: UInt64, isNegative: Bool = false, to bytes: inout [UInt8]) {
    var digits: [UInt16] = []
    var rest = magnitude
    while rest > 0 {
      digits.append(UInt16(rest % 10_000))
      rest /= 10_000
    }
    let sign = isNegative ? negative : 0
    append(digits: digits.reversed(), weight: max(0, digits.count - 1), sign: sign, scale: 0, to: &bytes)
  }

  /// Appends a number in plain or exponent notation.
  ///
  /// - Returns: False for a text that is no number, or none that the type can hold.
  static func append(_ text: String, to bytes: inout [UInt8]) -> Bool {
    switch text {
    case "NaN", "nan": append(digits: [], weight: 0, sign: notANumber, scale: 0, to: &bytes)
    case "inf", "Infinity": append(digits: [], weight: 0, sign: positiveInfinity, scale: 0, to: &bytes)
    case "-inf", "-Infinity": append(digits: [], weight: 0, sign: negativeInfinity, scale: 0, to: &bytes)
    default:
      guard let number = DecimalDigits(text) else { return false }
      return append(number, to: &bytes)
    }
    return true
  }

  private static func append(_ number: DecimalDigits, to bytes: inout [UInt8]) -> Bool {
    // Zeros before and after, so that the decimal point is between two groups of four.
    let leading = (4 - (number.point % 4 + 4) % 4) % 4
    let all = Array(repeating: 0, count: leading) + number.digits
    var groups = stride(from: 0, to: all.count, by: 4).map { start in
      (0..<4).reduce(UInt16(0)) { $0 * 10 + (start + $1 < all.count ? UInt16(all[start + $1]) : 0) }
    }
    while groups.last == 0 { groups.removeLast() }
    let scale = max(0, number.digits.count - number.point)
    let weight = (number.point + leading) / 4 - 1
    guard scale <= 16_383, abs(weight) <= Int(Int16.max), groups.count <= Int(Int16.max) else { return false }
    let sign = number.isNegative ? negative : 0
    append(digits: groups, weight: groups.isEmpty ? 0 : weight, sign: sign, scale: scale, to: &bytes)
    return true
  }

  private static func append(digits: [UInt16], weight: Int, sign: UInt16, scale: Int, to bytes: inout [UInt8]) {
    for part in [UInt16(digits.count), UInt16(bitPattern: Int16(weight)), sign, UInt16(scale)] + digits {
      bytes.append(UInt8(part >> 8))
      bytes.append(UInt8(part & 0xff))
    }
  }

  // MARK: Reading

  /// A number as the server sent it.
  struct Number {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private let weight: Int
    private let sign: UInt16

    /// - Returns: Nil for bytes that are no number.
    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= 8 else { return nil }
      self.bytes = bytes
      count = Int(Self.part(bytes, 0))
      weight = Int(Int16(bitPattern: Self.part(bytes, 1)))
      sign = Self.part(bytes, 2)
      guard bytes.count >= 8 + 2 * count else { return nil }
      for index in 0..<count where digit(index) > 9999 { return nil }
    }

    private static func part(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
    }

    private func digit(_ index: Int) -> UInt16 { index < count ? Self.part(bytes, 4 + index) : 0 }

    var isNegative: Bool { sign == negative }

    /// The whole part of the magnitude; nil where it exceeds 64 bits, and for what is no finite number.
    var magnitude: UInt64? {
      guard sign == 0 || sign == negative else { return nil }
      guard weight >= 0, count > 0 else { return 0 }
      guard weight <= 4 else { return nil }
      var magnitude: UInt64 = 0
      for index in 0...weight {
        let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10_000)
        let (sum, carries) = product.addingReportingOverflow(UInt64(digit(index)))
        if overflows || carries { return nil }
        magnitude = sum
      }
      return magnitude
    }

    /// The whole part, or the nearest 64-bit integer.
    var integer: Int64 {
      guard let magnitude else { return sign == notANumber ? 0 : isNegative || sign == negativeInfinity ? .min : .max }
      if isNegative { return magnitude > UInt64(Int64.max) ? .min : -Int64(magnitude) }
      return Int64(clamping: magnitude)
    }

    /// The number in plain notation, without zeros at its end.
    var plain: String {
      switch sign {
      case notANumber: return "NaN"
      case positiveInfinity: return "Infinity"
      case negativeInfinity: return "-Infinity"
      default: break
      }
      guard count > 0 else { return "0" }
      var text = isNegative ? "-" : ""
      text += weight < 0 ? "0" : String(digit(0))
      for index in stride(from: 1, through: weight, by: 1) { text += Self.padded(digit(index)) }
      let places = stride(from: weight + 1, to: count, by: 1)
      guard places.underestimatedCount > 0 else { return text }
      text += "." + places.map { $0 < 0 ? "0000" : Self.padded(digit($0)) }.joined()
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
      return text
    }

    private static func padded(_ digit: UInt16) -> String {
      let text = String(digit)
      return String(repeating: "0", count: 4 - text.count) + text
    }
  }
}

/// The digits of a decimal number.
private struct DecimalDigits {
  var isNegative = false
  /// Without zeros at the start.
  var digits: [Int] = []
  /// The position of the decimal point relative to the first digit.
  var point = 0

  /// Parses plain or exponent notation; nil for any other text.
  init?(_ text: String) {
    var rest = text.utf8[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    let mark = rest.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? rest.endIndex
    let parts = rest[..<mark].split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let all = parts.joined()
    guard let whole = parts.first, !all.isEmpty, all.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    var exponent = 0
    if mark != rest.endIndex {
      guard let number = Int(String(rest[rest.index(after: mark)...]) ?? ""), abs(number) < 1 << 20 else { return nil }
      exponent = number
    }
    digits = all.map { Int($0 - UInt8(ascii: "0")) }
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    point = whole.count - zeros + exponent
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty {
      point = 0
      isNegative = false
    }
  }
}
