/// Finds a text in JSON, and leaves every scalar of it as it is. Foundation takes a byte order mark for no part of a
/// text.
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// - Parameter bytes: Lent for as long as the reader is used.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The text at a place of an array; nil when there is none.
  mutating func text(at index: Int) -> String? {
    guard index >= 0, take("[") else { return nil }
    for _ in 0..<index {
      guard skipValue(), take(",") else { return nil }
    }
    return readText()
  }

  /// The text that an object has for a key; nil when there is none.
  mutating func text(for key: String) -> String? {
    guard take("{") else { return nil }
    repeat {
      guard let name = readText(), take(":") else { return nil }
      if name == key { return readText() }
      guard skipValue() else { return nil }
    } while take(",")
    return nil
  }

  // MARK: Words

  private var next: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Goes on behind a character, if it comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Goes on behind a value of any kind.
  private mutating func skipValue() -> Bool {
    skipSpace()
    let start = position
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard skipText() else { return false }
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return position > start }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        return position > start
      default:
        break
      }
      position += 1
    }
    return depth == 0 && position > start
  }

  private mutating func skipText() -> Bool {
    guard take("\"") else { return false }
    while let byte = next {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  // MARK: Texts

  private mutating func readText() -> String? {
    skipSpace()
    let start = position + 1
    guard skipText() else { return nil }
    let content = bytes[start..<(position - 1)]
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    return Self.unescaped(content)
  }

  private static func unescaped(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    // A pair of surrogates is two escapes, which decoding puts together; half a pair becomes U+FFFD.
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
