/// Binds values by position, from 1.
///
/// It is `open`, and so public, because only an open class can have subclasses in other modules. Subclasses override each
/// method whose implementation here is a fatal error.
open class Parameters {
  public init() {}

  open func bindNull(at position: Int32) { fatalError("overridden by the subclass") }
  open func bind(_ value: Int64, at position: Int32) { fatalError("overridden by the subclass") }
  open func bind(_ value: Double, at position: Int32) { fatalError("overridden by the subclass") }
  open func bind(_ value: String, at position: Int32) { fatalError("overridden by the subclass") }
  /// Binds bytes that are valid during the call.
  open func bind(_ value: UnsafeRawBufferPointer, at position: Int32) { fatalError("overridden by the subclass") }
}

/// A prepared statement: parameters are bound by position from 1, result columns are read by position from 0.
///
/// The accessors do not check bounds or types, because row loops depend on their speed. A column of another type than the
/// accessor's is converted as the database converts it; `type(of:)` returns the actual type.
///
/// Every statement is an instance of a driver's subclass.
open class Statement: Parameters {
  public enum ColumnType: Sendable {
    case null, integer, real, text, blob
  }

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one.
  open func step() throws -> Bool { fatalError("overridden by the driver") }

  /// Runs a statement whose rows and count are not needed.
  ///
  /// A driver may run it later, but before any later statement of its connection. Then a later call throws its error, at the
  /// latest the commit.
  open func send() throws {
    _ = try step()
    reset()
  }

  /// Lets the driver run the statement with its bindings now, so that the rows are on their way when `step` is called. A driver
  /// may leave all to `step`.
  open func start() throws {}

  /// Binds a batch to a statement of the dialect for batches.
  open func bind(_ batch: RowBatch) { fatalError("overridden by the driver") }

  /// Runs a statement of the dialect for batches: see `Dialect.update(_:setting:ofRowsWith:)`. Like `send`, a driver may run
  /// it later.
  ///
  /// - Parameter batch: Each row has a different key.
  /// - Throws: `DatabaseError` with the reason `missingRows` when the table has no rows with some of the keys to update. When a
  ///   row cannot be written, an unknown number of rows has been written.
  open func run(_ batch: RowBatch) throws { fatalError("overridden by the driver") }

  /// Makes the statement ready to run again. The bindings stay.
  open func reset() { fatalError("overridden by the driver") }

  /// Makes the statement ready to run again, with no value bound to any parameter.
  open func clear() { fatalError("overridden by the driver") }

  open func type(of column: Int32) -> ColumnType { fatalError("overridden by the driver") }
  open func isNull(_ column: Int32) -> Bool { fatalError("overridden by the driver") }
  open func integer(_ column: Int32) -> Int64 { fatalError("overridden by the driver") }
  open func real(_ column: Int32) -> Double { fatalError("overridden by the driver") }
  /// The text of a column; nil when it is null.
  open func textIfPresent(_ column: Int32) -> String? { fatalError("overridden by the driver") }

  /// Functions that read numbers and text of the current row directly. `none` where the database has no such functions.
  open var access: RowAccess { .none }

  /// The text of a column; empty when it is null.
  public final func text(_ column: Int32) -> String { textIfPresent(column) ?? "" }

  /// Passes the bytes of a column to `body`; they are valid until the next step.
  open func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    fatalError("overridden by the driver")
  }
}

/// Functions of a database's own library that read a statement's current row.
///
/// They report no errors, and read null as zero.
public struct RowAccess {
  public typealias ReadInteger = @convention(c) (_ row: OpaquePointer?, _ column: Int32) -> Int64
  public typealias ReadReal = @convention(c) (_ row: OpaquePointer?, _ column: Int32) -> Double
  public typealias ReadValue = @convention(c) (_ row: OpaquePointer?, _ column: Int32) -> OpaquePointer?
  public typealias ReadText = @convention(c) (_ value: OpaquePointer?) -> UnsafePointer<UInt8>?
  public typealias ReadLength = @convention(c) (_ value: OpaquePointer?) -> Int32
  public typealias ReadKind = @convention(c) (_ row: OpaquePointer?, _ column: Int32) -> Int32

  public let row: OpaquePointer?
  public let integer: ReadInteger
  public let real: ReadReal
  /// The value in a column, from which `text` and `length` read.
  public let value: ReadValue
  /// Text as UTF-8; nil for null.
  public let text: ReadText
  /// The number of bytes of a text, after `text` has read it.
  public let length: ReadLength
  /// The kind of the value in a column: 1 integer, 2 real, 3 text, 4 blob, 5 null.
  public let kind: ReadKind

  public init(
    row: OpaquePointer?, integer: ReadInteger, real: ReadReal, value: ReadValue, text: ReadText, length: ReadLength,
    kind: ReadKind
  ) {
    self.row = row
    self.integer = integer
    self.real = real
    self.value = value
    self.text = text
    self.length = length
    self.kind = kind
  }

  /// For rows that cannot be read in this way: every column is null.
  public static var none: RowAccess {
    RowAccess(
      row: nil, integer: { _, _ in 0 }, real: { _, _ in 0 }, value: { _, _ in nil }, text: { _ in nil },
      length: { _ in 0 }, kind: { _, _ in 5 })
  }
}
