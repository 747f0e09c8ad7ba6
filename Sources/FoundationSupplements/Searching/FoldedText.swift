import Support
@_spi(_Unicode) import Swift

/// Folds texts so that a search ignores case, accents and ignorable characters.
///
/// If a text contains another one, by characters or as `localizedStandardContains` defines it in any locale, the folded text
/// contains the other one's folded form. The reverse does not hold: a match of folded texts has to be tested. Each scalar is
/// folded separately.
package enum FoldedText {
  /// Appends the UTF-8 of the folded text.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var page = Page.first
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if Hangul.syllables.contains(value) {
        Hangul.append(value, to: &bytes)
        continue
      }
      if page.number != value >> 8 { page = Page.numbered(value >> 8) }
      var folded = page.entries[Int(value & 0xFF)]
      while folded != 0 {
        bytes.append(UInt8(truncatingIfNeeded: folded))
        folded >>= 8
      }
    }
  }

  package static func folded(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Folds a scalar by Unicode's properties.
  private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var scalars = decomposed([scalar])
    // Lower, upper and again lower case: together they map the expanded forms and the variants of lower case letters.
    for mapping in [\Unicode.Scalar.Properties.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping] {
      scalars = decomposed(scalars.filter { !isDropped($0) }.flatMap { $0.properties[keyPath: mapping].unicodeScalars })
    }
    return scalars.filter { !isDropped($0) }
  }

  private static func decomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Array(String(text)._nfd)
  }

  /// Foundation's search reads past the end of a text, as if zeros followed. It treats an iota subscript both as an accent and
  /// as the letter.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value == 0 || scalar == "\u{3B9}" { return true }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default:
      return properties.isGraphemeExtend || properties.isEmojiModifier || properties.isDefaultIgnorableCodePoint
    }
  }

  /// The folded forms of 256 scalars, each at most eight bytes of UTF-8, of which the first is the lowest byte.
  private final class Page: Sendable {
    let number: UInt32
    let entries: [UInt64]

    private init(_ number: UInt32) {
      self.number = number
      entries = (number << 8...number << 8 | 0xFF).map { value in
        let folded = Unicode.Scalar(value).map(fold) ?? []
        return folded.flatMap { UTF8.encode($0) ?? .init() }.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
    }

    static let first = Page(0)
    private static let known = Mutex([Page?](repeating: nil, count: 0x1100))

    static func numbered(_ number: UInt32) -> Page {
      if number == 0 { return first }
      if let page = known.withLock({ $0[Int(number)] }) { return page }
      let page = Page(number)
      known.withLock { $0[Int(number)] = page }
      return page
    }
  }

  /// Syllables of Korean, each of two or three letters.
  private enum Hangul {
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3

    static func append(_ syllable: UInt32, to bytes: inout [UInt8]) {
      let index = syllable - 0xAC00
      append(letter: 0x1100 + index / 588, to: &bytes)
      append(letter: 0x1161 + index % 588 / 28, to: &bytes)
      if index % 28 != 0 { append(letter: 0x11A7 + index % 28, to: &bytes) }
    }

    /// Each letter takes three bytes.
    private static func append(letter: UInt32, to bytes: inout [UInt8]) {
      bytes.append(0xE1)
      bytes.append(UInt8(0x80 | letter >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | letter & 0x3F))
    }
  }
}
