public import Foundation

/// One row of a store, from which a model reads its values. `@Model` writes the code that uses it.
///
/// A value that does not fit its property is not an error of the reading code: the reader records it with `reject`, and the
/// caller that requested the row throws.
public class _RowReader {
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// The first column of each property, by the property's index; negative if the row lacks it. The subclass owns or retains
  /// the memory, which has an element for each property of the row's entity.
  @exclusivity(unchecked) @usableFromInline final var columns: UnsafePointer<Int32>

  /// Whether a property that the row lacks keeps its value; otherwise its storage is emptied.
  @exclusivity(unchecked) @usableFromInline final var keepsOthers = false

  /// Identifies the graph in which a model is refreshed.
  final var graph: UnsafeRawPointer?

  /// The revision of the store that the row was read at: the same number means that nothing was written in between, and
  /// zero that this is unknown.
  @exclusivity(unchecked) final var age: UInt32 = 0

  /// Whether the row has columns that are not read here, so that the model stays a fault for the rest.
  @exclusivity(unchecked) final var isPartial = false

  /// The to-ones of the refreshed model that had another target before: their indices, and the keys of the previous
  /// targets, zero for nil.
  @exclusivity(unchecked) final var retargetings: [(index: Int, key: Int64)] = []

  @exclusivity(unchecked) final var failure: (any Error)?
  /// The properties with invalid values, in the format of `_ModelState.dirty`.
  final var rejected: UInt64 = 0

  /// Resets the failure, for the next row.
  final func forgetFailure() {
    failure = nil
    rejected = 0
  }

  // The functions that read numbers and text, separate for code that does not know the subclass. The row is valid during a
  // call, and text is copied before the next is read.
  @usableFromInline final let row: OpaquePointer?
  @usableFromInline final let readInteger: @convention(c) (OpaquePointer?, Int32) -> Int64
  @usableFromInline final let readReal: @convention(c) (OpaquePointer?, Int32) -> Double
  @usableFromInline final let readValue: @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?
  @usableFromInline final let readText: @convention(c) (OpaquePointer?) -> UnsafePointer<UInt8>?
  @usableFromInline final let readLength: @convention(c) (OpaquePointer?) -> Int32
  @usableFromInline final let readKind: @convention(c) (OpaquePointer?, Int32) -> Int32

  /// A row without direct access.
  init(columns: UnsafePointer<Int32>) {
    self.columns = columns
    row = nil
    readInteger = { _, _ in 0 }
    readReal = { _, _ in 0 }
    readValue = { _, _ in nil }
    readText = { _ in nil }
    readLength = { _ in 0 }
    readKind = { _, _ in 5 }
  }

  /// A row of a database whose own library reads numbers other than zero and text, as in `RowAccess`.
  init(
    columns: UnsafePointer<Int32>, row: OpaquePointer?,
    integer: @escaping @convention(c) (OpaquePointer?, Int32) -> Int64,
    real: @escaping @convention(c) (OpaquePointer?, Int32) -> Double,
    value: @escaping @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?,
    text: @escaping @convention(c) (OpaquePointer?) -> UnsafePointer<UInt8>?,
    length: @escaping @convention(c) (OpaquePointer?) -> Int32,
    kind: @escaping @convention(c) (OpaquePointer?, Int32) -> Int32
  ) {
    self.columns = columns
    self.row = row
    readInteger = integer
    readReal = real
    readValue = value
    readText = text
    readLength = length
    readKind = kind
  }

  /// Records that a to-one had another target before.
  @usableFromInline
  final func recordRetargeting(of index: Int, from key: Int64) {
    retargetings.append((index, key))
  }

  @inlinable
  public final func integer(_ column: Int32) -> Int64? {
    let integer = readInteger(row, column)
    return integer != 0 || readKind(row, column) == Self.integerKind ? integer : checkedInteger(column)
  }

  @inlinable
  public final func real(_ column: Int32) -> Double? {
    let real = readReal(row, column)
    return real != 0 || readKind(row, column) == Self.realKind ? real : checkedReal(column)
  }

  @inlinable
  public final func text(_ column: Int32) -> String? {
    guard row != nil else { return otherText(column) }
    let value = readValue(row, column)
    guard let start = readText(value) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: Int(readLength(value))), as: UTF8.self)
  }

  @inlinable
  public final func isNull(_ column: Int32) -> Bool {
    row == nil ? isOtherNull(column) : readKind(row, column) == Self.nullKind
  }

  /// An integer of the store's own columns, such as a key; zero for null.
  @inline(__always)
  final func number(_ column: Int32) -> Int64 {
    row == nil ? otherNumber(column) : readInteger(row, column)
  }

  // The values of `RowAccess.kind`.
  @inlinable static var integerKind: Int32 { 1 }
  @inlinable static var realKind: Int32 { 2 }
  @inlinable static var nullKind: Int32 { 5 }

  /// An integer of the store's own columns, for a row without direct access.
  func otherNumber(_ column: Int32) -> Int64 { 0 }
  /// Whether a column is null, for a row without direct access.
  public func isOtherNull(_ column: Int32) -> Bool { true }
  /// An integer of a column, for readers without direct access to the database's row, and for a zero that may stand for
  /// null. The result is nil for null.
  public func checkedInteger(_ column: Int32) -> Int64? { nil }
  public func checkedReal(_ column: Int32) -> Double? { nil }
  /// Text, for a row without direct access.
  public func otherText(_ column: Int32) -> String? { nil }
  public func data(_ column: Int32) -> Data? { nil }
  /// - Parameter count: 16, the size of a `UUID`.
  public func bytes(_ column: Int32, count: Int) -> UUID? { nil }

  /// The value of the property at `index`; nil after recording a failure.
  func codable<Value: Decodable>(_ type: Value.Type, _ index: Int) -> Value? { nil }
  func transformable<Value>(_ type: Value.Type, _ index: Int) -> Value? { nil }

  /// Records that the value of the property at `index` is invalid.
  public func reject(_ index: Int) {}
}

/// A row without values.
final class EmptyRowReader: _RowReader {
  init() {
    super.init(columns: Self.missing)
  }

  /// The maximum number of properties of a model: `SchemaBuilder` refuses more.
  static let capacity = 4096

  /// As many negative columns as a model may have properties. They are written before their address is published, and not
  /// changed afterwards.
  nonisolated(unsafe) private static let missing: UnsafePointer<Int32> = {
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    columns.initialize(repeating: -1, count: capacity)
    return UnsafePointer(columns)
  }()
}
