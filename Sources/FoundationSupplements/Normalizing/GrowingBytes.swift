import Foundation

/// The reason why a text cannot be converted.
package enum TextFailure: Error {
  case tooLong
  case noMemory
}

/// A byte buffer for texts that may be very long. It throws when memory is exhausted, where Swift's own collections end the
/// process.
struct GrowingBytes: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>?
  private(set) var count = 0
  private var capacity = 0
  private let limit: Int

  /// - Parameter limit: The maximum number of bytes.
  init(limit: Int) {
    self.limit = limit
  }

  deinit {
    free(start)
  }

  /// The bytes, until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Reserves memory for more bytes.
  ///
  /// - Returns: The address of the reserved bytes. They are added by `grow`.
  mutating func reserve(_ more: Int) throws(TextFailure) -> UnsafeMutablePointer<UInt8> {
    if let start, more <= capacity - count { return start + count }
    guard more <= limit - count else { throw .tooLong }
    let larger = min(max(2 * capacity, count + more, 256), limit)
    guard let grown = realloc(start, larger) else { throw .noMemory }
    let moved = grown.assumingMemoryBound(to: UInt8.self)
    start = moved
    capacity = larger
    return moved + count
  }

  /// Adds bytes that were written to the reserved memory.
  mutating func grow(by more: Int) {
    count += more
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TextFailure) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    UnsafeMutableRawPointer(try reserve(bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(_ byte: UInt8) throws(TextFailure) {
    try reserve(1).pointee = byte
    count += 1
  }

  /// Lends the bytes from a position on, for changes in place.
  mutating func withBytes(from place: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) throws(TextFailure) -> Void)
    throws(TextFailure)
  {
    guard let start, place < count else { return }
    try body(UnsafeMutableBufferPointer(start: start + place, count: count - place))
  }
}
