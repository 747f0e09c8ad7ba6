import CLibpq

/// The binary parameters of one run of a statement.
struct Parameters {
  private enum ElementType {
    static let bool: Int32 = 16
    static let int8: Int32 = 20
    static let text: Int32 = 25
    static let float8: Int32 = 701
  }

  private(set) var bytes: [UInt8] = []
  private var offsets: [Int] = []
  private var lengths: [Int32] = []

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Removes bytes that belong to no parameter.
  mutating func removeBytes() {
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Values

  mutating func append(_ value: Int64) {
    addValue { $0.write(value) }
  }

  mutating func append(_ value: Double) {
    addValue { $0.write(value.bitPattern) }
  }

  mutating func append(_ value: Bool) {
    addValue { $0.bytes.append(value ? 1 : 0) }
  }

  mutating func append(_ value: String) {
    addValue { $0.write(value) }
  }

  mutating func append(_ value: String?) {
    if let value { append(value) } else { appendNull() }
  }

  mutating func append(_ value: Int64?) {
    if let value { append(value) } else { appendNull() }
  }

  mutating func append(bytea value: [UInt8]) {
    addValue { $0.bytes += value }
  }

  mutating func appendNull() {
    offsets.append(-1)
    lengths.append(0)
  }

  // MARK: Arrays

  mutating func append<Row>(_ rows: ArraySlice<Row>, integers value: (Row) -> Int64?) {
    addArray(rows, of: ElementType.int8) { parameters, row in
      guard let value = value(row) else { return parameters.write(-1 as Int32) }
      parameters.write(8 as Int32)
      parameters.write(value)
    }
  }

  mutating func append<Row>(_ rows: ArraySlice<Row>, reals value: (Row) -> Double) {
    addArray(rows, of: ElementType.float8) { parameters, row in
      parameters.write(8 as Int32)
      parameters.write(value(row).bitPattern)
    }
  }

  mutating func append<Row>(_ rows: ArraySlice<Row>, flags value: (Row) -> Bool) {
    addArray(rows, of: ElementType.bool) { parameters, row in
      parameters.write(1 as Int32)
      parameters.bytes.append(value(row) ? 1 : 0)
    }
  }

  mutating func append<Row>(_ rows: ArraySlice<Row>, texts value: (Row) -> String?) {
    addArray(rows, of: ElementType.text) { parameters, row in
      guard let value = value(row) else { return parameters.write(-1 as Int32) }
      parameters.write(sized: value)
    }
  }

  /// Writes the header of an array of one dimension, which may have nulls, and its elements.
  @inline(__always)
  private mutating func addArray<Row>(
    _ rows: ArraySlice<Row>, of type: Int32, _ write: (inout Parameters, Row) -> Void
  ) {
    addValue { parameters in
      for number in [1, 1, type, Int32(rows.count), 1] { parameters.write(number) }
      for row in rows { write(&parameters, row) }
    }
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func addValue(_ write: (inout Parameters) -> Void) {
    let start = bytes.count
    write(&self)
    offsets.append(start)
    lengths.append(Int32(bytes.count - start))
  }

  @inline(__always)
  mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes the number of bytes and the bytes.
  @inline(__always)
  mutating func write(sized text: String) {
    var text = text
    text.withUTF8 {
      write(Int32($0.count))
      bytes.append(contentsOf: $0)
    }
  }

  /// Passes the parameters to `body` as libpq expects them.
  @inline(__always)
  func withParameters<Result>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    let count = offsets.count
    if count == 0 { return body(0, nil, nil, nil) }
    return bytes.withUnsafeBufferPointer { bytes in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
          formats.initialize(repeating: 1)
          for index in 0..<count {
            let start = offsets[index] < 0 ? nil : bytes.baseAddress.map { $0 + offsets[index] }
            values.initializeElement(
              at: index, to: start.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) })
          }
          return body(Int32(count), values.baseAddress, lengths, formats.baseAddress)
        }
      }
    }
  }
}
