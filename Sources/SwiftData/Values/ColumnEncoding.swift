import Foundation
import Relational

/// The encoding of values in columns whose kind has no direct representation of them.
///
/// Integers and `Bool` are stored as integers; `Double`, `Float` and `Date` as reals, dates in seconds since 2001; a `UUID`
/// as its sixteen bytes. All other encodings are here and in `DecimalText`. Their order and equality are those of the
/// values, so that SQL can compare them. A driver whose database has a native type for one of them converts these
/// encodings.
enum ColumnEncoding {
  // MARK: Reals

  /// The encoding of NaN in a column of reals: it equals itself, and is ordered after all numbers.
  static let notANumber = Value.text(notANumberText)
  static let notANumberText = "NaN"

  static func value(of real: Double) -> Value {
    real.isNaN ? notANumber : .real(real)
  }

  /// The number in a column of reals; nil if it is not a number, or null.
  static func real(_ value: Value) -> Double? {
    switch value {
    case .real(let real): real
    case .integer(let integer): Double(integer)
    case .text(notANumberText): .nan
    case .null, .text, .blob: nil
    }
  }

  // MARK: Integers

  static func value(of truth: Bool) -> Value {
    .integer(truth ? 1 : 0)
  }

  /// Passes the encoding of a number beyond `Int64.max` in a column of integers: eight bytes, big-endian. Bytes are ordered
  /// after all integers, and in the order of the numbers.
  static func withBytes<Result>(of wide: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: wide.bigEndian, body)
  }

  /// The number that bytes encode; nil if they encode none.
  static func wideInteger(_ bytes: Data) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    let wide = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return wide > UInt64(Int64.max) ? wide : nil
  }

  // MARK: Unique values

  /// A value that no model can have in any column, and that is unique for each row. A row gets it while rows exchange
  /// unique values.
  static func temporaryValue(forRow key: Int64) -> Value {
    .blob(Data("swiftdata_parked_\(key)".utf8))
  }
}
