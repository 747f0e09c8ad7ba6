/// Marks, such as accents: the scalars that Unicode's normal forms sort by their combining classes.
package enum Marks {
  /// The combining class of a scalar; zero for a scalar that is not a mark.
  static func combiningClass(of scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  /// Whether a text in UTF-8 may have more consecutive marks than a number, once each scalar is decomposed.
  ///
  /// It may return true for a text with fewer marks, and never false for a text with more.
  package static func mayHaveRun(longerThan number: Int, in text: UnsafeRawBufferPointer) -> Bool {
    // A mark decomposes into at most two marks, and a letter has at most three.
    let limit = max(0, (number - 3) / 2)
    // A scalar has at most as many marks as bytes.
    guard text.count > number else { return false }
    var run = 0
    var place = 0
    while place < text.count {
      let (scalar, length) = scalar(at: place, in: text)
      place += length
      if let scalar, isMark(scalar) {
        run += 1
        if run > limit { return true }
      } else {
        run = 0
      }
    }
    return false
  }

  /// Three vowel signs of Tibetan have class zero, but decompose into marks.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    combiningClass(of: scalar) != 0 || [0xF73, 0xF75, 0xF81].contains(scalar.value)
  }

  /// The scalar, if it may be a mark, and the number of bytes to skip.
  @inline(__always)
  private static func scalar(
    at place: Int, in text: UnsafeRawBufferPointer
  ) -> (scalar: Unicode.Scalar?, length: Int) {
    // The first byte of U+0300 is 0xCC.
    guard text[place] >= 0xCC else { return (nil, 1) }
    return UTF8Scalar.decode(UnsafeRawBufferPointer(rebasing: text[place...]))
  }
}

enum UTF8Scalar {
  /// The first scalar of some bytes; nil, with a length of one, for invalid bytes.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> (scalar: Unicode.Scalar?, length: Int) {
    guard let first = bytes.first else { return (nil, 1) }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return (nil, 1) }
    if length == 1 { return (Unicode.Scalar(first), 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes[1..<length] {
      guard byte & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) } ?? (nil, 1)
  }
}
