package import Foundation

/// Encodes many values as one blob, so that one parameter carries any number of them: for each value a byte for its kind, then the eight bytes of a number, or a count in four
/// bytes and the bytes of a text or blob.
package enum ListBytes {
  package enum Kind {
    package static let integer: UInt8 = 1
    package static let real: UInt8 = 2
    package static let text: UInt8 = 3
    package static let blob: UInt8 = 4
  }

  /// The size of the header before the bytes of a text or a blob.
  package static let headSize = 5
  package static let numberSize = 9

  /// - Parameter values: None of them is null.
  package static func encode(_ values: [Value]) -> Data {
    var size = 0
    for value in values {
      switch value {
      case .null: break
      case .integer, .real: size += numberSize
      case .text(let text): size += headSize + text.utf8.count
      case .blob(let data): size += headSize + data.count
      }
    }
    var bytes = Data(count: size)
    bytes.withUnsafeMutableBytes { buffer in
      guard var end = buffer.baseAddress else { return }
      for value in values { end += write(value, at: end) }
    }
    return bytes
  }

  /// - Returns: The number of written bytes.
  private static func write(_ value: Value, at start: UnsafeMutableRawPointer) -> Int {
    switch value {
    case .null:
      return 0
    case .integer(let integer):
      start.storeBytes(of: Kind.integer, as: UInt8.self)
      (start + 1).storeBytes(of: integer, as: Int64.self)
      return numberSize
    case .real(let real):
      start.storeBytes(of: Kind.real, as: UInt8.self)
      (start + 1).storeBytes(of: real, as: Double.self)
      return numberSize
    case .text(var text):
      return text.withUTF8 { write(Kind.text, UnsafeRawBufferPointer($0), at: start) }
    case .blob(let data):
      return data.withUnsafeBytes { write(Kind.blob, $0, at: start) }
    }
  }

  private static func write(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer) -> Int {
    start.storeBytes(of: kind, as: UInt8.self)
    (start + 1).storeBytes(of: UInt32(truncatingIfNeeded: bytes.count), as: UInt32.self)
    if let source = bytes.baseAddress { (start + headSize).copyMemory(from: source, byteCount: bytes.count) }
    return headSize + bytes.count
  }

  /// The size of the value that begins at `start`, its kind included; nil where `available` bytes are too few for it.
  package static func size(at start: UnsafeRawPointer, available: Int) -> Int? {
    guard available >= headSize else { return nil }
    let size: Int
    switch start.load(as: UInt8.self) {
    case Kind.integer, Kind.real: size = numberSize
    case Kind.text, Kind.blob: size = headSize + Int((start + 1).loadUnaligned(as: UInt32.self))
    default: return nil
    }
    return size <= available ? size : nil
  }
}
