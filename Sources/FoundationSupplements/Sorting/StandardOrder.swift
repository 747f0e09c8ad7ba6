package import Foundation

/// The order of names in lists, as `SortKeys.localizedStandard` defines it.
///
/// Texts of printable ASCII, which most names and titles are, are compared without keys where the locale uses the root order:
/// that takes an eighth of the time.
package enum StandardOrder {
  package static func compare(_ left: String, _ right: String) -> ComparisonResult {
    var (left, right) = (left, right)
    return compareASCII(&left, &right) ?? SortKeys.localizedStandard.compare(left, right)
  }

  private static func compareASCII(_ left: inout String, _ right: inout String) -> ComparisonResult? {
    let keys = SortKeys.localizedStandard
    guard keys.isRoot, max(left.utf8.count, right.utf8.count) <= keys.longestHead else { return nil }
    return left.withUTF8 { left in
      right.withUTF8 { right in compareASCII(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
    }
  }

  /// Nil when either text has a character without a weight, or a number that is too long.
  private static func compareASCII(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> ComparisonResult? {
    guard left.allSatisfy(isKnown), right.allSatisfy(isKnown) else { return nil }
    var left = left[...]
    var right = right[...]
    // The tie-breakers for texts that are equal otherwise: the first difference in case, then in leading zeros.
    var (cases, zeros) = (ComparisonResult.orderedSame, ComparisonResult.orderedSame)
    while let first = left.first, let second = right.first {
      guard weight(first) == weight(second) else { return order(weight(first), weight(second)) }
      if isDigit(first) {
        let (zeroCount, otherZeroCount) = (skipZeros(&left), skipZeros(&right))
        let (number, other) = (takeDigits(&left), takeDigits(&right))
        guard max(zeroCount + number.count, otherZeroCount + other.count) <= SortKeys.longestNumber else { return nil }
        if number.count != other.count { return order(number.count, other.count) }
        for (digit, otherDigit) in zip(number, other) where digit != otherDigit { return order(digit, otherDigit) }
        if zeros == .orderedSame { zeros = order(zeroCount, otherZeroCount) }
      } else {
        // A lower case letter comes before its upper case.
        if cases == .orderedSame { cases = order(second, first) }
        left.removeFirst()
        right.removeFirst()
      }
    }
    if !left.isEmpty { return .orderedDescending }
    guard right.isEmpty else { return .orderedAscending }
    return cases == .orderedSame ? zeros : cases
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  private static func skipZeros(_ text: inout Slice<UnsafeRawBufferPointer>) -> Int {
    let count = text.prefix { $0 == UInt8(ascii: "0") }.count
    text.removeFirst(count)
    return count
  }

  private static func takeDigits(_ text: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    let digits = text.prefix(while: isDigit)
    text.removeFirst(digits.count)
    return digits
  }

  // MARK: Weights

  /// The weights of printable ASCII characters in the root collation of the Unicode CLDR: digits share one, and so do the
  /// two cases of a letter. Zero for all other bytes.
  private static let weights: [UInt8] = {
    var weights = [UInt8](repeating: 0, count: 256)
    for (place, byte) in #" _-,;:!?.'"()[]{}@*/\&#%`^+<=>|~$"#.utf8.enumerated() {
      weights[Int(byte)] = UInt8(place + 1)
    }
    for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { weights[Int(byte)] = 100 }
    for (place, byte) in (UInt8(ascii: "a")...UInt8(ascii: "z")).enumerated() {
      weights[Int(byte)] = UInt8(101 + place)
      weights[Int(byte) - 32] = UInt8(101 + place)
    }
    return weights
  }()

  private static func weight(_ byte: UInt8) -> UInt8 {
    weights[Int(byte)]
  }

  private static func isKnown(_ byte: UInt8) -> Bool {
    weights[Int(byte)] != 0
  }
}
