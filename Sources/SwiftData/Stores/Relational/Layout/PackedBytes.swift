import Foundation
import Relational

/// Writes numbers, texts and keys as few bytes. Numbers have seven bits a byte, the lowest first.
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

  /// The number of runs, and for each how far it is from the last one and how many more keys it has than one.
  ///
  /// - Precondition: The keys are in ascending order, each once.
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

  /// A value of a column, behind a byte that tells of what type it is.
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

/// Reads what a ``PackedWriter`` has written, and refuses everything else.
struct PackedReader {
  /// Why bytes cannot be read: nobody has written them so.
  struct Damage: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var keyCount = 0
  /// More keys are in no record: a few damaged bytes could ask for all memory.
  private static let keyLimit = 1 << 24
  /// The same for runs of keys that no table is known to have had: one that was made anew forgets those of before.
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

  /// How many things of at least one byte follow.
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

  /// - Parameter last: The largest key that there should be: beyond it, no run is long. The keys are only counted when
  ///   nil.
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
