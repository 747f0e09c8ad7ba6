/// Writes texts without U+0000, which PostgreSQL's types for text and JSON cannot hold: U+0000 becomes U+0001 U+0002, and U+0001
/// becomes U+0001 U+0003. In JSON the escapes `\u0000` and `\u0001` are replaced likewise.
enum NullEscape {
  /// Whether a text, as it is or as it is stored, differs from its other form: it has a byte below 2.
  static func concerns(text: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 8 <= text.count {
      // Zero in each byte that is 0 or 1. The subtraction borrows from the highest bit of a byte only where a byte is zero.
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0xfefe_fefe_fefe_fefe
      if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
      offset += 8
    }
    while offset < text.count {
      if text[offset] < 2 { return true }
      offset += 1
    }
    return false
  }

  /// Whether a JSON text has what may be an escape of U+0000 or U+0001.
  static func concerns(json: UnsafeRawBufferPointer) -> Bool {
    var rest = json[...]
    while let mark = rest.firstIndex(of: backslash) {
      if json.count - mark >= 6, json[mark + 1] == letterU, json[mark + 2] == zero, json[mark + 3] == zero,
        json[mark + 4] == zero, json[mark + 5] <= zero + 1
      {
        return true
      }
      rest = json[(mark + 1)...]
    }
    return false
  }

  static func escaped(_ text: String) -> String {
    var text = text
    var bytes: [UInt8] = []
    text.withUTF8 { escape(text: UnsafeRawBufferPointer($0), into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func escaped(json: String) -> String {
    var json = json
    var bytes: [UInt8] = []
    json.withUTF8 { escape(json: UnsafeRawBufferPointer($0), into: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func escape(text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
    for byte in text {
      if byte > 1 {
        bytes.append(byte)
      } else {
        bytes.append(1)
        bytes.append(byte == 0 ? 2 : 3)
      }
    }
  }

  /// - Parameter start: Memory for as many bytes as the stored text has.
  /// - Returns: The number of bytes of the text.
  static func unescape(text: UnsafeRawBufferPointer, into start: UnsafeMutablePointer<UInt8>) -> Int {
    var (read, written) = (0, 0)
    while read < text.count {
      var byte = text[read]
      // Texts that another program stored may have a U+0001 that is not followed by U+0002 or U+0003.
      if byte == 1, read + 1 < text.count, text[read + 1] == 2 || text[read + 1] == 3 {
        byte = text[read + 1] - 2
        read += 1
      }
      start[written] = byte
      read += 1
      written += 1
    }
    return written
  }

  static func escape(json: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
    var read = 0
    while read < json.count {
      let count = unit(json, read)
      bytes.append(contentsOf: json[read..<(read + count)])
      if let number = controlNumber(json, read), number < 2 {
        bytes[bytes.count - 1] = zero + 1
        bytes.append(contentsOf: [backslash, letterU, zero, zero, zero, zero + 2 + number])
      }
      read += count
    }
  }

  /// - Parameter start: Memory for as many bytes as the stored text has.
  /// - Returns: The number of bytes of the text.
  static func unescape(json: UnsafeRawBufferPointer, into start: UnsafeMutablePointer<UInt8>) -> Int {
    var (read, written) = (0, 0)
    while read < json.count {
      let count = unit(json, read)
      for offset in 0..<count { start[written + offset] = json[read + offset] }
      written += count
      if controlNumber(json, read) == 1, let next = controlNumber(json, read + count), next == 2 || next == 3 {
        start[written - 1] = zero + next - 2
        read += unit(json, read + count)
      }
      read += count
    }
    return written
  }

  private static let backslash = UInt8(ascii: "\\")
  private static let letterU = UInt8(ascii: "u")
  private static let zero = UInt8(ascii: "0")

  /// The number of bytes of the escape or the byte at a position. A backslash after a backslash begins no escape.
  private static func unit(_ json: UnsafeRawBufferPointer, _ position: Int) -> Int {
    guard json[position] == backslash, position + 1 < json.count else { return 1 }
    return json[position + 1] == letterU ? min(6, json.count - position) : 2
  }

  /// The number of a scalar that is written as `\u0000` to `\u0003`; nil for everything else.
  private static func controlNumber(_ json: UnsafeRawBufferPointer, _ position: Int) -> UInt8? {
    guard json.count - position >= 6, json[position] == backslash, json[position + 1] == letterU,
      json[(position + 2)..<(position + 5)].allSatisfy({ $0 == zero }), json[position + 5] >= zero,
      json[position + 5] <= zero + 3
    else { return nil }
    return json[position + 5] - zero
  }
}
