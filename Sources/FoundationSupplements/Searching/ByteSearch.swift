import CShims

/// Searches in the bytes of texts.
enum ByteSearch {
  /// The position of `needle` in `bytes`, from `start` on, in linear time.
  static func find(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard let base = bytes.baseAddress, !needle.isEmpty, bytes.count - start >= needle.count else {
      return needle.isEmpty ? start : nil
    }
    return findBytes(base + start, bytes.count - start, needle, needle.count).map { $0 - base }
  }

  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 < 0x80 }
  }

  /// Whether all bytes are ASCII and none of them is zero.
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let size = MemoryLayout<UInt64>.size
    guard bytes.count >= size else { return bytes.allSatisfy { $0 > 0 && $0 < 0x80 } }
    let highest: UInt64 = 0x8080_8080_8080_8080
    var others: UInt64 = 0
    var place = 0
    while true {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // Subtracting one from a zero byte leaves its highest bit set.
      others |= (word | word &- 0x0101_0101_0101_0101) & highest
      if place == bytes.count - size { return others == 0 }
      place = min(place + size, bytes.count - size)
    }
  }

  /// Passes a copy with ASCII letters in lower case to `body`.
  static func withLowercased<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { copy in
      for index in bytes.indices { copy[index] = lowercased(bytes[index]) }
      return body(UnsafeRawBufferPointer(copy))
    }
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
