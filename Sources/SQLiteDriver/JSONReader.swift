/// Reads JSON and keeps every scalar of its texts. Foundation drops a byte order mark.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  /// - Parameter bytes: Must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The text of a key in an object; nil when there is none.
  mutating func text(for key: String) -> String? {
    guard take("{") else { return nil }
    repeat {
      guard let name = takeText(), take(":") else { return nil }
      guard let value = takeValue() else { return nil }
      if name == key { return text(at: value) }
    } while take(",")
    return nil
  }

  // MARK: Tokens

  var next: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  mutating func skipSpace() {
    while let byte = next, Self.isSpace(byte) { position += 1 }
  }

  mutating func skip(_ count: Int) {
    position += count
  }

  /// Skips a character, if it is the next one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Skips a value of any kind. It does not validate the value.
  ///
  /// - Returns: The range of the value.
  mutating func takeValue() -> Range<Int>? {
    skipSpace()
    let start = position
    var depth = 0
    repeat {
      guard let byte = next else { return nil }
      switch byte {
      case UInt8(ascii: "\""):
        guard takeQuoted() != nil else { return nil }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return nil }
        depth -= 1
        position += 1
      case _ where Self.isSeparator(byte):
        if depth == 0 { return nil }
        position += 1
      default:
        while let byte = next, !Self.isDelimiter(byte) { position += 1 }
      }
    } while depth > 0
    return start..<position
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || isSpace(byte)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: isSeparator(byte)
    }
  }

  // MARK: Texts

  /// Skips a text.
  ///
  /// - Returns: Its range, without the quotes.
  mutating func takeQuoted() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = position
    while let byte = next {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return start..<position - 1 }
    }
    return nil
  }

  private mutating func takeText() -> String? {
    takeQuoted().map { text(in: $0) }
  }

  /// The text of a value in quotes; nil when the value is not a text.
  func text(at value: Range<Int>) -> String? {
    guard bytes[value].first == UInt8(ascii: "\"") else { return nil }
    return text(in: value.lowerBound + 1..<value.upperBound - 1)
  }

  /// The text between two quotes.
  func text(in content: Range<Int>) -> String {
    let content = bytes[content]
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    return Self.unescaped(content)
  }

  private static func unescaped(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    // A pair of surrogates is two escapes, which decoding joins; a lone surrogate becomes U+FFFD.
    var units: [UInt16] = []
    var rest = content
    while let byte = rest.first {
      guard byte == UInt8(ascii: "\\") else {
        let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
        units += String(decoding: plain, as: UTF8.self).utf16
        rest = rest.dropFirst(plain.count)
        continue
      }
      let letter = rest.dropFirst().first
      rest = rest.dropFirst(2)
      switch letter {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      case let letter?: units.append(UInt16(letter))
      case nil: break
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
