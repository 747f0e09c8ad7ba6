import Foundation
import Relational

/// How columns have values that no kind of column is made for.
///
/// Whole numbers and `Bool` are integers, `Double`, `Float` and `Date` reals, the last in seconds since 2001, and a `UUID`
/// is its sixteen bytes. The rest is here and in `DecimalText`, in forms whose order and equality are those of the
/// values, so that SQL can compare them. A driver whose database has something of its own for one of them takes these
/// forms from the store and gives them back.
enum ColumnEncoding {
  // MARK: Reals

  /// What stands for NaN in a column of reals: it equals itself, and comes after all numbers.
  static let notANumber = Value.text(notANumberText)
  static let notANumberText = "NaN"

  static func value(of real: Double) -> Value {
    real.isNaN ? notANumber : .real(real)
  }

  /// The number in a column of reals; nil when it is none, or null.
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

  /// Lends what a column of integers has for a number beyond `Int64.max`: eight bytes, the most significant first. Bytes
  /// come after all integers, and are in order of the numbers.
  static func withBytes<Result>(of wide: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: wide.bigEndian, body)
  }

  /// The number that bytes stand for; nil for bytes that stand for none.
  static func wideInteger(_ bytes: Data) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    let wide = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return wide > UInt64(Int64.max) ? wide : nil
  }

  // MARK: Unique values

  /// A value that no model can have in any column, and that differs from row to row. A row gets it when it has to give
  /// up its unique values before it gets others.
  static func placeholder(forRow key: Int64) -> Value {
    .blob(Data("swiftdata_parked_\(key)".utf8))
  }
}
