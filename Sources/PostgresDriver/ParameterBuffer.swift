import Relational
import SystemPostgres

/// The values of one run of a statement in the server's binary formats.
struct ParameterBuffer {
  /// Why a value cannot be sent.
  struct Refusal: Error {
    var message: String
  }

  private enum Format {
    static let text: Int32 = 0
    static let binary: Int32 = 1
  }

  private var bytes: [UInt8] = []
  /// The offset of each value in `bytes`; negative for null.
  private var offsets: [Int] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  private let decimals: PostgresConfiguration.Decimals

  init(_ decimals: PostgresConfiguration.Decimals) {
    self.decimals = decimals
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.count < 1 << 20)
    offsets.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    formats.removeAll(keepingCapacity: true)
  }

  /// Appends the next parameter.
  mutating func append(_ value: BoundValue, as type: Oid) throws {
    let start = bytes.count
    guard value.kind != .null else { return try finish(-1, start, Format.binary) }
    if value.kind == .blob, PostgresType.element(of: type) != nil {
      return try value.bytes.withUnsafeBytes { try append(list: $0, as: type) }
    }
    let format = try value.bytes.withUnsafeBytes { try append(value.kind, value.bits, $0, as: type, allowsText: true) }
    try finish(start, start, format)
  }

  /// Appends the keys of a batch as the next parameter, an array.
  mutating func append(_ keys: UnsafeBufferPointer<Int64>, as type: Oid) throws {
    try appendArray(keys.count, as: type) { buffer, index, element in
      _ = try buffer.append(
        .integer, keys[index], UnsafeRawBufferPointer(start: nil, count: 0), as: element, allowsText: false)
      return true
    }
  }

  /// Appends a column of a batch as the next parameter, an array.
  mutating func append(_ batch: RowBatch.Contents, column: Int, as type: Oid) throws {
    try appendArray(batch.keys.count, as: type) { buffer, index, element in
      let cell = batch.cells[index * batch.width + column]
      if cell.kind == .null { return false }
      let value = UnsafeRawBufferPointer(rebasing: batch.bytes[Self.range(of: cell)])
      _ = try buffer.append(cell.kind, cell.bits, value, as: element, allowsText: false)
      return true
    }
  }

  private static func range(of cell: RowBatch.Cell) -> Range<Int> {
    switch cell.kind {
    case .text, .blob: Int(cell.bits)..<(Int(cell.bits) + cell.count)
    case .null, .integer, .real: 0..<0
    }
  }

  /// - Parameter append: Appends the element at an index; false for null.
  private mutating func appendArray(
    _ count: Int, as type: Oid, _ append: (inout ParameterBuffer, Int, Oid) throws -> Bool
  ) throws {
    guard let element = PostgresType.element(of: type) else {
      throw Refusal(message: "a column of a batch cannot be sent as \(PostgresType.name(of: type))")
    }
    let start = bytes.count
    // The number of dimensions, whether there are nulls, the type, the number of elements, and the first index.
    for part in [1, 1, Int32(bitPattern: element), Int32(count), 1] { appendBigEndian(part) }
    for index in 0..<count {
      let header = bytes.count
      appendBigEndian(Int32(-1))
      guard try append(&self, index, element) else { continue }
      try checkSize()
      let length = Int32(bytes.count - header - 4)
      withUnsafeBytes(of: length.bigEndian) { for offset in 0..<4 { bytes[header + offset] = $0[offset] } }
    }
    try finish(start, start, Format.binary)
  }

  private mutating func finish(_ offset: Int, _ start: Int, _ format: Int32) throws {
    try checkSize()
    offsets.append(offset)
    lengths.append(Int32(bytes.count - start))
    formats.append(format)
  }

  /// The server closes the connection after a message of more than 1 GB.
  private func checkSize() throws {
    guard bytes.count < 1 << 30 else { throw Refusal(message: "the values of one statement have more than 1 GB") }
  }

  /// Passes the parameters to `body` as libpq expects them.
  func withParameters<Result>(
    _ body: (
      _ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
      _ formats: UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    if offsets.isEmpty { return body(0, nil, nil, nil) }
    return bytes.withUnsafeBufferPointer { bytes in
      // An empty value needs an address too: without one it would be null.
      withUnsafePointer(to: 0 as CChar) { empty in
        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: offsets.count) { values in
          for (index, offset) in offsets.enumerated() {
            let start = bytes.baseAddress.map { UnsafeRawPointer($0 + max(0, offset)) }
            let value = start?.assumingMemoryBound(to: CChar.self) ?? empty
            values.initializeElement(at: index, to: offset < 0 ? nil : value)
          }
          return body(Int32(offsets.count), values.baseAddress, lengths, formats)
        }
      }
    }
  }

  // MARK: Values

  /// Appends one value.
  ///
  /// - Parameter allowsText: Whether the value may be sent in text format, in which the server reads values of any type.
  /// - Returns: The format.
  private mutating func append(
    _ kind: RowBatch.Kind, _ bits: Int64, _ value: UnsafeRawBufferPointer, as type: Oid, allowsText: Bool
  ) throws -> Int32 {
    let isWritten =
      switch kind {
      case .null: false
      case .integer: append(bits, as: type)
      case .real: append(Double(bitPattern: UInt64(bitPattern: bits)), as: type)
      case .text: append(text: value, as: type)
      case .blob: append(blob: value, as: type)
      }
    if isWritten { return Format.binary }
    if allowsText, !Self.isConverted(type), append(plain: kind, bits, value) { return Format.text }
    throw Refusal(message: "a value of kind \(kind) cannot be sent as \(PostgresType.name(of: type))")
  }

  /// Whether values of a type are only sent in binary format.
  private static func isConverted(_ type: Oid) -> Bool {
    switch type {
    case PostgresType.bool, PostgresType.int2, PostgresType.int4, PostgresType.int8, PostgresType.oid,
      PostgresType.float4, PostgresType.float8, PostgresType.numeric, PostgresType.uuid, PostgresType.bytea,
      PostgresType.json, PostgresType.jsonb:
      true
    default: PostgresType.isText(type)
    }
  }

  private mutating func append(_ value: Int64, as type: Oid) -> Bool {
    switch type {
    case PostgresType.int8: appendBigEndian(value)
    case PostgresType.int4: return appendExactly(Int32(exactly: value))
    case PostgresType.int2: return appendExactly(Int16(exactly: value))
    case PostgresType.oid: return appendExactly(UInt32(exactly: value))
    case PostgresType.bool:
      guard value == 0 || value == 1 else { return false }
      bytes.append(UInt8(value))
    case PostgresType.float8: appendBigEndian(Double(value).bitPattern)
    case PostgresType.float4: appendBigEndian(Float(value).bitPattern)
    case PostgresType.numeric: NumericFormat.append(value, to: &bytes)
    default: return false
    }
    return true
  }

  private mutating func append(_ value: Double, as type: Oid) -> Bool {
    switch type {
    case PostgresType.float8: appendBigEndian(value.bitPattern)
    case PostgresType.float4: appendBigEndian(Float(value).bitPattern)
    case PostgresType.numeric: return NumericFormat.append("\(value)", to: &bytes)
    default: return false
    }
    return true
  }

  private mutating func append(text: UnsafeRawBufferPointer, as type: Oid) -> Bool {
    switch type {
    case PostgresType.json, PostgresType.jsonb:
      // The version of the binary format.
      if type == PostgresType.jsonb { bytes.append(1) }
      if NullEscape.concerns(json: text) {
        NullEscape.escape(json: text, into: &bytes)
      } else {
        bytes.append(contentsOf: text)
      }
    case PostgresType.numeric:
      guard let plain = decimals.toPlain(String(decoding: text, as: UTF8.self)) else { return false }
      return NumericFormat.append(plain, to: &bytes)
    case PostgresType.float8, PostgresType.float4:
      guard text.elementsEqual("NaN".utf8) else { return false }
      return append(Double.nan, as: type)
    default:
      guard PostgresType.isText(type) else { return false }
      if NullEscape.concerns(text: text) {
        NullEscape.escape(text: text, into: &bytes)
      } else {
        bytes.append(contentsOf: text)
      }
    }
    return true
  }

  /// Appends the values of `ListBytes` as an array.
  private mutating func append(list: UnsafeRawBufferPointer, as type: Oid) throws {
    var values: [Range<Int>] = []
    var offset = 0
    while let start = list.baseAddress, offset < list.count {
      guard let size = ListBytes.size(at: start + offset, available: list.count - offset) else {
        throw Refusal(message: "a list is malformed")
      }
      values.append(offset..<offset + size)
      offset += size
    }
    try appendArray(values.count, as: type) { buffer, index, element in
      let range = values[index]
      let content = UnsafeRawBufferPointer(rebasing: list[range.lowerBound + ListBytes.headSize..<range.upperBound])
      let kind: RowBatch.Kind
      var bits: Int64 = 0
      switch list[range.lowerBound] {
      case ListBytes.Kind.integer: kind = .integer
      case ListBytes.Kind.real: kind = .real
      case ListBytes.Kind.text: kind = .text
      default: kind = .blob
      }
      if kind == .integer || kind == .real {
        bits = list.loadUnaligned(fromByteOffset: range.lowerBound + 1, as: Int64.self)
      }
      _ = try buffer.append(kind, bits, content, as: element, allowsText: false)
      return true
    }
  }

  private mutating func append(blob: UnsafeRawBufferPointer, as type: Oid) -> Bool {
    switch type {
    case PostgresType.bytea: bytes.append(contentsOf: blob)
    case PostgresType.uuid:
      guard blob.count == 16 else { return false }
      bytes.append(contentsOf: blob)
    case PostgresType.numeric:
      // An unsigned integer that exceeds 63 bits.
      guard blob.count == 8 else { return false }
      NumericFormat.append(magnitude: UInt64(bigEndian: blob.loadUnaligned(as: UInt64.self)), to: &bytes)
    default: return false
    }
    return true
  }

  /// Appends a value in text format.
  private mutating func append(plain kind: RowBatch.Kind, _ bits: Int64, _ value: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .integer: bytes.append(contentsOf: String(bits).utf8)
    case .real: bytes.append(contentsOf: "\(Double(bitPattern: UInt64(bitPattern: bits)))".utf8)
    // The server reads text format up to a zero.
    case .text where !value.contains(0): bytes.append(contentsOf: value)
    case .text, .blob, .null: return false
    }
    bytes.append(0)
    return true
  }

  private mutating func appendExactly<Number: FixedWidthInteger>(_ number: Number?) -> Bool {
    guard let number else { return false }
    appendBigEndian(number)
    return true
  }

  private mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
