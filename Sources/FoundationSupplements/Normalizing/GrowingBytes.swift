import Foundation

/// Why a text has no other form.
package enum TextFailure: Error {
  case tooLong
  case noMemory
}

/// Bytes of texts that may be very long. Where there is no memory for them it throws. Swift's own collections end the
/// process there.
struct GrowingBytes: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>?
  private(set) var count = 0
  private var capacity = 0
  private let limit: Int

  /// - Parameter limit: How many bytes there may be.
  init(limit: Int) {
    self.limit = limit
  }

  deinit {
    free(start)
  }

  /// The bytes, until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Makes room for more bytes.
  ///
  /// - Returns: Where they belong. They count once `grow` is told.
  mutating func room(for more: Int) throws(TextFailure) -> UnsafeMutablePointer<UInt8> {
    if let start, more <= capacity - count { return start + count }
    guard more <= limit - count else { throw .tooLong }
    let larger = min(max(2 * capacity, count + more, 256), limit)
    guard let grown = realloc(start, larger) else { throw .noMemory }
    let moved = grown.assumingMemoryBound(to: UInt8.self)
    start = moved
    capacity = larger
    return moved + count
  }

  /// Takes bytes along that were written to the room made for them.
  mutating func grow(by more: Int) {
    count += more
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TextFailure) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    UnsafeMutableRawPointer(try room(for: bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(_ byte: UInt8) throws(TextFailure) {
    try room(for: 1).pointee = byte
    count += 1
  }

  /// Lends the bytes from a place on, to be changed where they are.
  mutating func withBytes(from place: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) throws(TextFailure) -> Void)
    throws(TextFailure)
  {
    guard let start, place < count else { return }
    try body(UnsafeMutableBufferPointer(start: start + place, count: count - place))
  }
}
