import Relational
import SystemPostgres

/// How the values of a column of a result are read.
enum ColumnFormat: UInt8 {
  case bool, int2, int4, int8, unsigned4, float4, float8, text, json, jsonb, blob, numeric
  /// A numeric without decimal places and with 20 digits: the type of unsigned integers of 64 bits.
  case wide
  /// - Parameter modifier: The arguments of the type.
  /// - Returns: Nil for a type whose binary format is not read.
  init?(_ type: Oid, modifier: @autoclosure () -> Int32) {
    switch type {
    case PostgresType.bool: self = .bool
    case PostgresType.int2: self = .int2
    case PostgresType.int4: self = .int4
    case PostgresType.int8, PostgresType.xid8: self = .int8
    case PostgresType.oid, PostgresType.regclass: self = .unsigned4
    case PostgresType.float4: self = .float4
    case PostgresType.float8: self = .float8
    case PostgresType.json: self = .json
    case PostgresType.jsonb: self = .jsonb
    case PostgresType.bytea, PostgresType.uuid: self = .blob
    case PostgresType.numeric: self = modifier() == 20 << 16 + 4 ? .wide : .numeric
    case PostgresType.void: self = .text
    default:
      guard PostgresType.isText(type) else { return nil }
      self = .text
    }
  }
}

/// The row of a result that is read at the moment. Its address does not change while its statement lives.
///
/// It cannot be copied, because a copy for each value would take longer than reading the value.
struct ResultRow: ~Copyable {
  /// A column of the result, and the text that `RowAccess.value` found in it.
  struct Column {
    var format = ColumnFormat.text
    var text: UnsafePointer<UInt8>?
    var count: Int32 = 0
    /// Memory for a text that differs from the server's form.
    var buffer: UnsafeMutablePointer<UInt8>?
    var capacity = 0

    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
      if let buffer, capacity >= count { return buffer }
      buffer?.deallocate()
      let capacity = max(64, count)
      let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      self.buffer = buffer
      self.capacity = capacity
      return buffer
    }
  }

  /// Nil when there is no row; libpq reads a null result as one without columns.
  var result: OpaquePointer?
  var index: Int32 = -1
  private(set) var columns: UnsafeMutableBufferPointer<Column>
  /// The number of columns of the result.
  private var width: Int32 = 0
  private let decimals: PostgresConfiguration.Decimals

  init(_ decimals: PostgresConfiguration.Decimals) {
    self.decimals = decimals
    columns = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  func deallocate() {
    for column in columns { column.buffer?.deallocate() }
    columns.deallocate()
  }

  /// Prepares for the rows of a result.
  ///
  /// - Throws: `ParameterBuffer.Refusal` for a column whose type cannot be read.
  mutating func begin(_ result: OpaquePointer) throws {
    let width = PQnfields(result)
    if width > columns.count {
      let wider = UnsafeMutableBufferPointer<Column>.allocate(capacity: Int(width))
      let moved = wider.moveInitialize(fromContentsOf: columns)
      wider[moved...].initialize(repeating: Column())
      columns.deallocate()
      columns = wider
    }
    for column in 0..<width {
      let type = PQftype(result, column)
      guard
        let format = ColumnFormat(type, modifier: PQfmod(result, column))
      else {
        let name = PQfname(result, column).map { String(cString: $0) } ?? ""
        throw ParameterBuffer.Refusal(
          message: "column \"\(name)\" has \(PostgresType.name(of: type)), which is not read; cast it to text")
      }
      columns[Int(column)].format = format
    }
    self.width = width
    self.result = result
    index = -1
  }

  mutating func end() {
    result = nil
    index = -1
    width = 0
  }

  // MARK: Reading

  @inline(__always)
  private func format(_ column: Int32) -> ColumnFormat {
    column >= 0 && column < width ? columns[Int(column)].format : .text
  }

  @inline(__always)
  func isNull(_ column: Int32) -> Bool {
    PQgetisnull(result, index, column) != 0
  }

  /// The bytes of a value; none for null.
  @inline(__always)
  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    guard let start = PQgetvalue(result, index, column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, index, column)))
  }

  /// A number; nil for null, which has no bytes.
  @inline(__always)
  private func number<Number: FixedWidthInteger>(_ column: Int32, _ type: Number.Type) -> Number? {
    guard PQgetlength(result, index, column) == MemoryLayout<Number>.size, let start = PQgetvalue(result, index, column)
    else { return nil }
    return Number(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: Number.self))
  }

  func kind(_ column: Int32) -> Statement.ColumnType {
    if isNull(column) { return .null }
    switch format(column) {
    case .bool, .int2, .int4, .int8, .unsigned4: return .integer
    case .float4, .float8: return real(column).isNaN ? .text : .real
    case .text, .json, .jsonb, .numeric: return .text
    case .blob: return .blob
    case .wide:
      guard let number = NumericFormat.Number(bytes(column)), number.magnitude != nil else { return .text }
      return exceeds(number) ? .blob : .integer
    }
  }

  private func exceeds(_ number: NumericFormat.Number) -> Bool {
    !number.isNegative && (number.magnitude ?? 0) > UInt64(Int64.max)
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 {
    if format(column) == .int8 { return number(column, Int64.self) ?? 0 }
    return otherInteger(column)
  }

  private func otherInteger(_ column: Int32) -> Int64 {
    switch format(column) {
    case .bool: return number(column, UInt8.self).map { $0 == 0 ? 0 : 1 } ?? 0
    case .int2: return Int64(number(column, Int16.self) ?? 0)
    case .int4: return Int64(number(column, Int32.self) ?? 0)
    case .int8: return number(column, Int64.self) ?? 0
    case .unsigned4: return Int64(number(column, UInt32.self) ?? 0)
    case .float4, .float8:
      let real = real(column)
      return Int64(exactly: real.rounded(.towardZero)) ?? (real > 0 ? .max : real < 0 ? .min : 0)
    case .numeric, .wide: return NumericFormat.Number(bytes(column))?.integer ?? 0
    case .text: return Int64(String(decoding: bytes(column), as: UTF8.self)) ?? 0
    case .json, .jsonb, .blob: return 0
    }
  }

  /// A negative zero is read as zero, as from SQLite: the sign of a divisor that is zero decides that of the quotient.
  @inline(__always)
  func real(_ column: Int32) -> Double {
    if format(column) == .float8 { return (number(column, UInt64.self).map(Double.init(bitPattern:)) ?? 0) + 0 }
    return otherReal(column) + 0
  }

  private func otherReal(_ column: Int32) -> Double {
    switch format(column) {
    case .float4: return number(column, UInt32.self).map { Double(Float(bitPattern: $0)) } ?? 0
    case .float8: return number(column, UInt64.self).map(Double.init(bitPattern:)) ?? 0
    case .numeric, .wide: return NumericFormat.Number(bytes(column)).flatMap { Double($0.plain) } ?? 0
    case .text: return Double(String(decoding: bytes(column), as: UTF8.self)) ?? 0
    case .bool, .int2, .int4, .int8, .unsigned4: return Double(integer(column))
    case .json, .jsonb, .blob: return 0
    }
  }

  /// Finds the text of a column and stores its place there, until the next call for the column.
  ///
  /// - Returns: False for null.
  @inline(__always)
  func findText(_ column: Int32) -> Bool {
    guard column >= 0, column < width else { return false }
    let slot = columns.baseAddress.unsafelyUnwrapped + Int(column)
    if slot.pointee.format == .text {
      let stored = bytes(column)
      if !NullEscape.concerns(text: stored) {
        if stored.isEmpty && isNull(column) { return false }
        slot.pointee.text = stored.baseAddress?.assumingMemoryBound(to: UInt8.self)
        slot.pointee.count = Int32(stored.count)
        return true
      }
    }
    return findOtherText(column, slot)
  }

  private func findOtherText(_ column: Int32, _ slot: UnsafeMutablePointer<Column>) -> Bool {
    if isNull(column) { return false }
    var stored = bytes(column)
    switch slot.pointee.format {
    case .text:
      let start = slot.pointee.reserve(stored.count)
      show(NullEscape.unescape(text: stored, into: start), slot)
    case .json, .jsonb:
      if slot.pointee.format == .jsonb { stored = UnsafeRawBufferPointer(rebasing: stored.dropFirst()) }
      guard NullEscape.concerns(json: stored) else { return show(stored, slot) }
      let start = slot.pointee.reserve(stored.count)
      show(NullEscape.unescape(json: stored, into: start), slot)
    case .blob: return show(stored, slot)
    case .numeric:
      let plain = NumericFormat.Number(stored)?.plain ?? ""
      show(decimals.fromPlain(plain) ?? plain, slot)
    case .wide: show(NumericFormat.Number(stored)?.plain ?? "", slot)
    case .float4, .float8:
      let real = real(column)
      show(real.isNaN ? "NaN" : "\(real)", slot)
    case .bool, .int2, .int4, .int8, .unsigned4: show(String(integer(column)), slot)
    }
    return true
  }

  /// Shows what was written into the buffer of a column.
  private func show(_ count: Int, _ slot: UnsafeMutablePointer<Column>) {
    slot.pointee.text = UnsafePointer(slot.pointee.buffer)
    slot.pointee.count = Int32(count)
  }

  private func show(_ text: String, _ slot: UnsafeMutablePointer<Column>) {
    let bytes = Array(text.utf8)
    slot.pointee.reserve(bytes.count).update(from: bytes, count: bytes.count)
    show(bytes.count, slot)
  }

  private func show(_ bytes: UnsafeRawBufferPointer, _ slot: UnsafeMutablePointer<Column>) -> Bool {
    slot.pointee.text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    slot.pointee.count = Int32(bytes.count)
    return true
  }

  func text(_ column: Int32) -> String? {
    guard findText(column), let start = columns[Int(column)].text else { return nil }
    return String(
      decoding: UnsafeBufferPointer(start: start, count: Int(columns[Int(column)].count)), as: UTF8.self)
  }

  func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    if format(column) == .blob { return try body(bytes(column)) }
    if format(column) == .wide, let number = NumericFormat.Number(bytes(column)),
      exceeds(number),
      let magnitude = number.magnitude
    {
      return try withUnsafeBytes(of: magnitude.bigEndian, body)
    }
    guard findText(column) else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let found = columns[Int(column)]
    return try body(UnsafeRawBufferPointer(start: found.text, count: Int(found.count)))
  }
}

extension ResultRow {
  /// The functions that read a row directly.
  static func access(_ row: UnsafeMutablePointer<ResultRow>) -> RowAccess {
    RowAccess(
      row: OpaquePointer(row),
      integer: { row, column in at(row).pointee.integer(column) },
      real: { row, column in at(row).pointee.real(column) },
      value: { row, column in
        let row = at(row)
        guard row.pointee.findText(column) else { return nil }
        return row.pointee.columns.baseAddress.map { OpaquePointer($0 + Int(column)) }
      },
      text: { value in value.map { UnsafeMutablePointer<ResultRow.Column>($0).pointee.text } ?? nil },
      length: { value in value.map { UnsafeMutablePointer<ResultRow.Column>($0).pointee.count } ?? 0 },
      kind: { row, column in
        switch at(row).pointee.kind(column) {
        case .integer: 1
        case .real: 2
        case .text: 3
        case .blob: 4
        case .null: 5
        }
      })
  }
}

/// The row at an address, outside of the type because a C function cannot capture it.
@inline(__always)
private func at(_ row: OpaquePointer?) -> UnsafeMutablePointer<ResultRow> {
  // Every row that `access` returns has an address.
  UnsafeMutablePointer<ResultRow>(row.unsafelyUnwrapped)
}
