import Foundation
import Relational

/// Encodes numbers, texts and keys in few bytes. Numbers have seven bits a byte, the lowest first.
struct PackedWriter {
  var bytes: [UInt8]

  mutating func write(_ number: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: number)
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  static func bytes(of number: Int) -> [UInt8] {
    var writer = PackedWriter(bytes: [])
    writer.write(number)
    return writer.bytes
  }

  static func bytes(ofText text: String) -> [UInt8] {
    var writer = PackedWriter(bytes: [])
    writer.write(text: text)
    return writer.bytes
  }

  mutating func write(text: String) {
    write(text.utf8.count)
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes the number of runs, and for each its distance from the previous one and the number of its keys minus one.
  ///
  /// - Precondition: The keys are in ascending order, without duplicates.
  mutating func write(runs keys: [Int64]) {
    if let first = keys.first, keys.count == 1 {
      write(1)
      write(first)
      return write(0)
    }
    var runs: [(gap: Int64, more: Int64)] = []
    var last: Int64 = 0
    for key in keys {
      if key == last + 1, !runs.isEmpty {
        runs[runs.count - 1].more += 1
      } else {
        runs.append((key - last, 0))
      }
      last = key
    }
    write(runs.count)
    for run in runs {
      write(run.gap)
      write(run.more)
    }
  }

  /// Writes a value of a column after a byte with its type.
  mutating func write(_ value: Value) {
    switch value {
    case .null:
      bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      write(integer)
    case .real(let real):
      bytes.append(2)
      withUnsafeBytes(of: real.bitPattern.littleEndian) { bytes += $0 }
    case .text(let text):
      bytes.append(3)
      write(text: text)
    case .blob(let data):
      bytes.append(4)
      write(data.count)
      bytes += data
    }
  }
}

/// Decodes the bytes of a ``PackedWriter``, and refuses all others.
struct PackedReader {
  /// The error of bytes that no ``PackedWriter`` writes.
  struct Damage: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var keyCount = 0
  /// The maximum number of keys in a record: otherwise a few damaged bytes could allocate all memory.
  private static let keyLimit = 1 << 24
  /// The maximum length of runs beyond the last known key of a table, which may have lost its last key when it was rebuilt.
  private static let strangeRunLimit = 1 << 16

  init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw Damage() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() throws -> Int64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte < 2 else { throw Damage() }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int64(bitPattern: number) }
    }
    throw Damage()
  }

  /// The number of following items of at least one byte.
  mutating func count() throws -> Int {
    guard let count = Int(exactly: try number()), count >= 0, count <= bytes.count - position else { throw Damage() }
    return count
  }

  mutating func bytes(_ count: Int) throws -> [UInt8] {
    guard count <= bytes.count - position else { throw Damage() }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func text() throws -> String {
    guard let text = String(validating: try bytes(count()), as: UTF8.self) else { throw Damage() }
    return text
  }

  /// - Parameter last: The largest expected key, beyond which no run is long. If it is nil, the keys are only counted.
  mutating func runs(upTo last: Int64?) throws -> (keys: [Int64], count: Int) {
    var keys: [Int64] = []
    var count = 0
    var end: Int64 = 0
    for _ in 0..<(try self.count()) {
      let (gap, more) = (try number(), try number())
      let (first, isTooLarge) = end.addingReportingOverflow(gap)
      guard gap > 0, more >= 0, !isTooLarge, more < Self.keyLimit - keyCount, first <= RowIdentity.lastNumber - more
      else { throw Damage() }
      end = first + more
      keyCount += Int(more) + 1
      count += Int(more) + 1
      guard let last else { continue }
      if end > last, more > Self.strangeRunLimit { throw Damage() }
      keys.append(contentsOf: first...end)
    }
    return (keys, count)
  }

  mutating func value() throws -> Value {
    switch try byte() {
    case 0: return .null
    case 1: return .integer(try number())
    case 2:
      let bits = try bytes(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .real(Double(bitPattern: bits))
    case 3: return .text(try text())
    case 4: return .blob(Data(try bytes(count())))
    default: throw Damage()
    }
  }
}
