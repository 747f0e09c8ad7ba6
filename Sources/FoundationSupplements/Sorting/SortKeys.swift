package import Foundation

/// An order of texts as keys: bytes that compare as the texts do.
///
/// A key has what ICU's collator makes of a text, down to differences in case. What the collator does not tell apart is
/// told apart by what follows, so that two texts have one key only if they are canonically equivalent, and so equal in
/// Swift: numbers with fewer leading zeros come first, then a text of printable ASCII alone, then the others by their
/// code points.
package final class SortKeys: Sendable {
  package enum Rules: Sendable {
    /// The order of file names in lists: digits are compared by the number that they form.
    case localizedStandard
    /// The order of words in a dictionary.
    case localized
  }

  /// Those of the current locale. Foundation keeps the locale that it met first, and so do they.
  package static let localizedStandard = SortKeys(.localizedStandard, Locale.current)
  package static let localized = SortKeys(.localized, Locale.current)

  /// What the keys depend on: whose rules they follow, and in which version. Keys of orders with different names cannot
  /// be compared.
  package let name: String
  /// Whether the order is that of the root of all locales, which tells all printable ASCII characters apart.
  package let isRoot: Bool
  private let isNumeric: Bool
  private let collator: Collator?
  /// One that tells all texts apart which are not canonically equivalent.
  private let exactCollator: Collator?

  /// The version of what is made of the collator's key.
  private static let format = 1
  /// ICU does not take more digits than this for one number.
  static let longestNumber = 254

  package init(_ rules: Rules, _ locale: Locale) {
    let identifier = locale.identifier
    isNumeric = rules == .localizedStandard
    collator = Collator(locale: identifier, isNumeric: isNumeric, isExact: false)
    exactCollator = Collator(locale: identifier, isNumeric: isNumeric, isExact: true)
    // Keywords can ask for other rules, and can change those of the language without their being called otherwise.
    let hasKeywords = identifier.contains("@") || identifier.contains("-u-")
    let origin = collator?.origin ?? "bytes"
    isRoot = origin == "root" && !hasKeywords
    name = "\(Self.format)_\(hasKeywords ? identifier : origin)_\(collator?.version ?? "")"
      .map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0.lowercased() : "_" }.joined()
  }

  /// Lends the key of a text in UTF-8. What is no UTF-8 counts as U+FFFD, as in a string that is made of it.
  ///
  /// - Parameter body: Called once.
  package func withKey(of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard let collator, let exactCollator else {
      return Self.withNormalBytes(of: String(decoding: text, as: UTF8.self), body)
    }
    // Swift's temporary allocations are on the stack while they are small.
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: text.count) { units in
      let form = Form(text, units, longestNumber: Self.longestNumber)
      let isPlain = isRoot && form.isPlain
      let unitCount = form.isASCII ? text.count : Self.decode(text, to: units)
      let characters = UnsafeMutableBufferPointer(rebasing: units[..<unitCount])
      let hasZeros = isNumeric && form.hasLeadingZeros
      // At most one byte for each number, and what separates them from the rest.
      let reserve = (hasZeros ? text.count / 2 + 1 : 0) + 2
      var capacity = 4 * unitCount + 64
      var isDone = false
      while !isDone {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity + reserve) { key in
          let room = UnsafeMutableBufferPointer(rebasing: key[..<capacity])
          let count = (isPlain ? collator : exactCollator).write(characters, to: room)
          guard count <= capacity else {
            capacity = count
            return
          }
          // The last byte is zero.
          var writer = KeyWriter(key, count: max(0, count - 1))
          if !isPlain {
            writer.insertLeadingZeros(of: hasZeros ? text : nil)
          } else if hasZeros {
            writer.appendLeadingZeros(of: text)
          }
          body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(key)[..<writer.count]))
          isDone = true
        }
      }
    }
  }

  private static func decode(_ text: UnsafeRawBufferPointer, to units: UnsafeMutableBufferPointer<UInt16>) -> Int {
    if let count = Collator.decode(text, to: units) { return count }
    var count = 0
    for unit in String(decoding: text, as: UTF8.self).utf16 where count < units.count {
      units[count] = unit
      count += 1
    }
    return count
  }

  private static func withNormalBytes(of text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    var text = text.precomposedStringWithCanonicalMapping
    text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Comparing

  package func compare(_ left: String, _ right: String) -> ComparisonResult {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
    }
  }

  /// Compares texts in UTF-8.
  package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
    var order = ComparisonResult.orderedSame
    withKey(of: left) { left in
      withKey(of: right) { right in
        if left.lexicographicallyPrecedes(right) {
          order = .orderedAscending
        } else if !left.elementsEqual(right) {
          order = .orderedDescending
        }
      }
    }
    return order
  }
}

/// What the bytes of a text in UTF-8 tell of it.
private struct Form {
  var isASCII = true
  /// Whether all is printable ASCII, without a number that is longer than can be.
  var isPlain = true
  var hasLeadingZeros = false

  /// - Parameter units: Gets the text in UTF-16 if it is ASCII, and something else if not.
  init(_ text: UnsafeRawBufferPointer, _ units: UnsafeMutableBufferPointer<UInt16>, longestNumber: Int) {
    var digitCount = 0
    var isAfterZero = false
    var all: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      units[index] = UInt16(byte)
      all |= byte
      if byte &- UInt8(ascii: "0") < 10 {
        hasLeadingZeros = hasLeadingZeros || isAfterZero
        isAfterZero = byte == UInt8(ascii: "0") && (digitCount == 0 || isAfterZero)
        digitCount += 1
        if digitCount > longestNumber { isPlain = false }
      } else {
        digitCount = 0
        isAfterZero = false
        if byte &- 0x20 > 0x5e { isPlain = false }
      }
    }
    isASCII = all < 0x80
  }
}

/// Completes what a collator has written.
private struct KeyWriter {
  private let key: UnsafeMutableBufferPointer<UInt8>
  private(set) var count: Int

  private static let levelSeparator: UInt8 = 1
  /// Comes before what a longer key has in its place.
  private static let end: UInt8 = 0

  init(_ key: UnsafeMutableBufferPointer<UInt8>, count: Int) {
    self.key = key
    self.count = count
  }

  private mutating func append(_ byte: UInt8) {
    key[count] = byte
    count += 1
  }

  /// Adds how many zeros each number of a text begins with that do not count, up to the last number that has any.
  mutating func appendLeadingZeros(of text: UnsafeRawBufferPointer) {
    append(Self.end)
    var last = count
    var zeros = 0
    var digits = 0
    for byte in text {
      if byte &- UInt8(ascii: "0") < 10 {
        if byte == UInt8(ascii: "0"), zeros == digits { zeros += 1 }
        digits += 1
      } else if digits > 0 {
        appendNumber(zeros, digits, &last)
        (zeros, digits) = (0, 0)
      }
    }
    if digits > 0 { appendNumber(zeros, digits, &last) }
    count = last
  }

  private mutating func appendNumber(_ zeros: Int, _ digits: Int, _ last: inout Int) {
    // The zero of a number that is zero counts.
    let zeros = zeros == digits ? zeros - 1 : zeros
    append(UInt8(min(zeros, 253) + 2))
    if zeros > 0 { last = count }
  }

  /// Puts the leading zeros before the level that tells all texts apart, which is the last one.
  mutating func insertLeadingZeros(of text: UnsafeRawBufferPointer?) {
    guard let separator = key[..<count].lastIndex(of: Self.levelSeparator) else { return }
    // The level before has nothing in it for most rules.
    let isAfterEmpty = separator > 0 && key[separator - 1] == Self.levelSeparator
    if text == nil, isAfterEmpty {
      key[separator - 1] = Self.end
      return
    }
    let level = Array(key[separator..<count])
    count = isAfterEmpty ? separator - 1 : separator
    if let text { appendLeadingZeros(of: text) } else { append(Self.end) }
    for byte in level { append(byte) }
  }
}
