import Foundation
import Relational

/// A row of one column, to decode a value that is in memory.
final class SingleValueReader: _RowReader {
  private let value: Value

  static func read<Primitive: _PrimitiveValue>(_ type: Primitive.Type, from value: Value) -> Primitive? {
    Primitive._read(SingleValueReader(value), 0)
  }

  private init(_ value: Value) {
    self.value = value
    super.init(columns: Self.columns)
  }

  /// Initialized before its address is shared, and never written again.
  private nonisolated(unsafe) static let columns: UnsafePointer<Int32> = {
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    columns.initialize(to: 0)
    return UnsafePointer(columns)
  }()

  override func isOtherNull(_ column: Int32) -> Bool {
    value == .null
  }

  override func checkedInteger(_ column: Int32) -> Int64? {
    if case .integer(let integer) = value { return integer }
    return computedInteger.flatMap { Int64(exactly: $0) }
  }

  /// The integer that a database without unsigned integers has computed as a decimal.
  private var computedInteger: UInt64? {
    guard case .text(let text) = value, let decimal = DecimalText.decode(text), !decimal.isNaN else { return nil }
    return UInt64("\(decimal)")
  }

  override func checkedReal(_ column: Int32) -> Double? {
    ColumnEncoding.real(value)
  }

  override func otherText(_ column: Int32) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  override func data(_ column: Int32) -> Data? {
    if case .blob(let data) = value { return data }
    return computedInteger.flatMap { wide in
      wide > UInt64(Int64.max) ? ColumnEncoding.withBytes(of: wide) { Data($0) } : nil
    }
  }

  override func bytes(_ column: Int32, count: Int) -> UUID? {
    guard case .blob(let data) = value, data.count == count else { return nil }
    // The count is that of a UUID's bytes, and any such bytes are a valid UUID.
    return data.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
  }
}
