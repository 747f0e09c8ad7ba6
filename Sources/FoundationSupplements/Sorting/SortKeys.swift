package import Foundation

/// An order of texts by sort keys: bytes whose order is the order of the texts.
///
/// A key begins with the key of ICU's collator, down to differences in case. Its rest distinguishes texts that are equal to the
/// collator, so that two texts have one key only if they are canonically equivalent, and so equal in Swift: numbers with fewer
/// leading zeros come first, then a text of printable ASCII, then the others by their code points.
///
/// The collator gets only the beginning of a very long text, and only a limited number of consecutive marks, because it takes
/// quadratic time for them. A key from such a shortened text ends with the whole text in Unicode's normal form D.
package final class SortKeys: Sendable {
  package enum Rules: Sendable {
    /// The order of file names in lists: digits are compared by the number that they form.
    case localizedStandard
    /// The order of words in a dictionary.
    case localized
  }

  /// The keys of the current locale. Like Foundation, they use the locale at their first use.
  package static let localizedStandard = SortKeys(.localizedStandard, Locale.current)
  package static let localized = SortKeys(.localized, Locale.current)

  /// Identifies the rules and their version. Keys of orders with different names cannot be compared.
  package let name: String
  /// Whether the order is that of the root locale, which distinguishes all printable ASCII characters.
  package let isRoot: Bool
  private let isNumeric: Bool
  private let collator: Collator?
  /// Distinguishes all texts that are not canonically equivalent.
  private let exactCollator: Collator?

  /// The version of the bytes that complete the collator's key.
  private static let format = 2
  /// The largest number of digits that ICU reads as one number.
  static let longestNumber = 254
  /// The limit of databases for a value.
  private static let longestKey = 1 << 30
  /// The maximum input of the collator: bytes in normal form D, and consecutive marks.
  package let longestHead: Int
  private let longestRun: Int

  /// - Parameter longestRun: At least 3, the most that one letter can have.
  package init(_ rules: Rules, _ locale: Locale, longestHead: Int = 1 << 22, longestRun: Int = 64) {
    self.longestHead = longestHead
    self.longestRun = longestRun
    let identifier = locale.identifier
    isNumeric = rules == .localizedStandard
    collator = Collator(locale: identifier, isNumeric: isNumeric, isExact: false)
    exactCollator = Collator(locale: identifier, isNumeric: isNumeric, isExact: true)
    // Keywords can select other rules, and can change the rules of the language under the same name.
    let hasKeywords = identifier.contains("@") || identifier.contains("-u-")
    let origin = collator?.origin ?? "bytes"
    isRoot = origin == "root" && !hasKeywords
    name = "\(Self.format)_\(hasKeywords ? identifier : origin)_\(collator?.version ?? "")"
      .map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0.lowercased() : "_" }.joined()
  }

  /// Passes the key of a text in UTF-8 to `body`. Invalid UTF-8 counts as U+FFFD, as in a string.
  ///
  /// - Parameter body: Called once.
  /// - Throws: `TextFailure` when the key is longer than databases allow, or when there is no memory for it.
  package func withKey(
    of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TextFailure) {
    guard let collator, let exactCollator else {
      return Self.withNormalBytes(of: String(decoding: text, as: UTF8.self), body)
    }
    if text.count > longestHead || !withCollatedKey(of: text, collator, exactCollator, body) {
      try withLongKey(of: text, collator, exactCollator, body)
    }
  }

  /// Passes the collator's key of a text, completed, to `body`.
  ///
  /// - Parameters:
  ///   - isHead: Whether the text is the beginning of a longer one.
  ///   - isDecomposed: Whether the text is in normal form D, without too many marks.
  /// - Returns: Whether the collator accepts the text as it is, and `body` was called.
  private func withCollatedKey(
    of text: UnsafeRawBufferPointer, _ collator: Collator, _ exactCollator: Collator, isHead: Bool = false,
    isDecomposed: Bool = false, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    // Swift's temporary allocations are on the stack while they are small.
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: text.count) { units in
      let form = Form(text, units, longestNumber: Self.longestNumber)
      if !form.isASCII, !isDecomposed, mayBeLong(text) { return false }
      let isPlain = isRoot && form.isPlain && !isHead
      let unitCount = form.isASCII ? text.count : Self.decode(text, to: units)
      let characters = UnsafeMutableBufferPointer(rebasing: units[..<unitCount])
      if !form.isASCII, !isDecomposed, characters.contains(where: Self.isMisread) { return false }
      if isRoot, !form.isASCII, !isHead, let first = Self.firstForm(of: characters) {
        return first.withUnsafeBytes { withCollatedKey(of: $0, collator, exactCollator, body) }
      }
      let hasZeros = isNumeric && form.hasLeadingZeros
      // At most one byte for each number, and two separators.
      let reserve = (hasZeros ? text.count / 2 + 1 : 0) + 2
      var capacity = 4 * unitCount + 64
      var isDone = false
      while !isDone {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity + reserve) { key in
          let target = UnsafeMutableBufferPointer(rebasing: key[..<capacity])
          let count = (isPlain ? collator : exactCollator).write(characters, to: target)
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
      return true
    }
  }

  /// Whether the text may exceed the collator's limits. One byte decomposes into three at most.
  private func mayBeLong(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count > longestHead / 3 || Marks.mayHaveRun(longerThan: longestRun, in: text)
  }

  /// Whether ICU may return several keys for equal texts with this unit, or not return at all, unless they are in normal form
  /// D: U+0344, the mark that stands for two of one class, and scalars from U+10000 to U+1EFFF, of which some are marks.
  private static func isMisread(_ unit: UInt16) -> Bool {
    unit == 0x344 || unit &- 0xD800 < 0x3C
  }

  /// The ASCII text that is equal to a text. Unicode has a second K, semicolon and grave accent.
  private static func firstForm(of units: UnsafeMutableBufferPointer<UInt16>) -> [UInt8]? {
    let hasOthers = units.contains { unit in
      unit >= 0x80 && unit != 0x212A && unit != 0x37E && unit != 0x1FEF
    }
    if hasOthers { return nil }
    return units.map { unit in
      switch unit {
      case 0x212A: UInt8(ascii: "K")
      case 0x37E: UInt8(ascii: ";")
      case 0x1FEF: UInt8(ascii: "`")
      default: UInt8(truncatingIfNeeded: unit)
      }
    }
  }

  /// Passes the key of a text to `body` when the collator may get only a part of the text.
  private func withLongKey(
    of text: UnsafeRawBufferPointer, _ collator: Collator, _ exactCollator: Collator,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TextFailure) {
    if ByteSearch.isASCII(text) {
      let head = UnsafeRawBufferPointer(rebasing: text[..<min(text.count, longestHead)])
      let key = try key(of: head, before: text, collator, exactCollator)
      return body(key.bytes)
    }
    let decomposed = try DecomposedText(text, limit: Self.longestKey)
    guard let head = try decomposed.head(longerThan: longestHead, marks: longestRun) else {
      _ = withCollatedKey(of: decomposed.bytes, collator, exactCollator, isDecomposed: true, body)
      return
    }
    let key = try key(of: head.bytes, before: decomposed.bytes, collator, exactCollator)
    body(key.bytes)
  }

  /// The collator's key of the beginning of a text, followed by the whole text in normal form D.
  private func key(
    of head: UnsafeRawBufferPointer, before text: UnsafeRawBufferPointer, _ collator: Collator,
    _ exactCollator: Collator
  ) throws(TextFailure) -> GrowingBytes {
    var key = GrowingBytes(limit: Self.longestKey)
    var failure: TextFailure?
    _ = withCollatedKey(of: head, collator, exactCollator, isHead: true, isDecomposed: true) { headKey in
      do throws(TextFailure) {
        // Reserved at once, because the text may be very long.
        _ = try key.reserve(headKey.count + 1 + text.count)
        try key.append(headKey)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try key.append(KeyWriter.end)
    try key.append(text)
    return key
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
    var order: ComparisonResult?
    try? withKey(of: left) { left in
      try? withKey(of: right) { right in
        order =
          left.lexicographicallyPrecedes(right)
          ? .orderedAscending : left.elementsEqual(right) ? .orderedSame : .orderedDescending
      }
    }
    return order ?? Self.canonicalOrder(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
  }

  /// Compares texts that are too long for keys.
  private static func canonicalOrder(_ left: String, _ right: String) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }
}

/// Properties of a text that follow from its bytes in UTF-8.
private struct Form {
  var isASCII = true
  /// Whether the text is printable ASCII without a number that is too long.
  var isPlain = true
  var hasLeadingZeros = false

  /// - Parameter units: Receives the text in UTF-16 if it is ASCII; otherwise its contents are undefined.
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

/// Completes a collator's key.
private struct KeyWriter {
  private let key: UnsafeMutableBufferPointer<UInt8>
  private(set) var count: Int

  private static let levelSeparator: UInt8 = 1
  /// Sorts before the corresponding byte of a longer key.
  static let end: UInt8 = 0

  init(_ key: UnsafeMutableBufferPointer<UInt8>, count: Int) {
    self.key = key
    self.count = count
  }

  private mutating func append(_ byte: UInt8) {
    key[count] = byte
    count += 1
  }

  /// Appends the number of leading zeros of each number in a text, up to the last number that has any.
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
    // In a number that is zero, one zero counts as a digit.
    let zeros = zeros == digits ? zeros - 1 : zeros
    append(UInt8(min(zeros, 253) + 2))
    if zeros > 0 { last = count }
  }

  /// Inserts the leading zeros before the last level, which distinguishes all texts.
  mutating func insertLeadingZeros(of text: UnsafeRawBufferPointer?) {
    guard let separator = key[..<count].lastIndex(of: Self.levelSeparator) else { return }
    // With most rules the level before is empty.
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
