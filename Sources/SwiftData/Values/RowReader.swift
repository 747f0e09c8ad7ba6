public import Foundation

/// One row of a store, from which a model takes its values. `@Model` writes the code that uses it.
///
/// A value that does not fit its property is not an error of the reading code: it is noted with `reject`, and whoever
/// asked for the row throws.
public class _RowReader {
  // Exclusivity is unchecked below, because each access is over before other code runs.

  /// The column where each property begins, by the property's index; negative where the row lacks it. The subclass owns
  /// the memory or holds what does, and has a place there for each property of the row's entity.
  @exclusivity(unchecked) @usableFromInline final var columns: UnsafePointer<Int32>

  /// Whether a property that the row lacks keeps its value; its storage is emptied otherwise.
  @exclusivity(unchecked) @usableFromInline final var keepsOthers = false

  /// Identifies the graph that a model is refreshed in.
  final var graph: UnsafeRawPointer?

  /// The state of the store that the row is of: the same number means that nothing was written in between, and zero
  /// that nobody can tell.
  @exclusivity(unchecked) final var age: UInt32 = 0

  /// Whether the row has more than can be read here, so that the model has to be read again for the rest.
  @exclusivity(unchecked) final var isPartial = false

  /// The to-ones of the model that took the row's values that led elsewhere before: their indices, and the keys of what
  /// they led to, which are zero where that was nothing.
  @exclusivity(unchecked) final var departures: [(index: Int, key: Int64)] = []

  @exclusivity(unchecked) final var failure: (any Error)?
  /// The properties with values that they cannot have, as `_ModelState.dirty` has them.
  final var rejected: UInt64 = 0

  /// Gets ready for another row after one that had values that cannot be.
  final func forgetFailure() {
    failure = nil
    rejected = 0
  }

  // What reads numbers and text, taken apart for code that does not know the type. The row is lent for a call, and text
  // is copied before the next is read.
  @usableFromInline final let row: OpaquePointer?
  @usableFromInline final let readInteger: @convention(c) (OpaquePointer?, Int32) -> Int64
  @usableFromInline final let readReal: @convention(c) (OpaquePointer?, Int32) -> Double
  @usableFromInline final let readValue: @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?
  @usableFromInline final let readText: @convention(c) (OpaquePointer?) -> UnsafePointer<UInt8>?
  @usableFromInline final let readLength: @convention(c) (OpaquePointer?) -> Int32
  @usableFromInline final let readKind: @convention(c) (OpaquePointer?, Int32) -> Int32

  /// A row of which nothing can be read in the fast way.
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

  /// A row of a database whose own library reads numbers and text other than zero, in the way of `RowAccess`.
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

  /// Notes that a to-one leads elsewhere than it did.
  @usableFromInline
  final func recordDeparture(of index: Int, from key: Int64) {
    departures.append((index, key))
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

  /// An integer of the store's own, such as a key, which is zero where there is none.
  @inline(__always)
  final func number(_ column: Int32) -> Int64 {
    row == nil ? otherNumber(column) : readInteger(row, column)
  }

  // What `RowAccess.kind` tells.
  @inlinable static var integerKind: Int32 { 1 }
  @inlinable static var realKind: Int32 { 2 }
  @inlinable static var nullKind: Int32 { 5 }

  /// An integer of the store's own, of a row that cannot be read in the fast way.
  func otherNumber(_ column: Int32) -> Int64 { 0 }
  /// Whether a column is null in a row that cannot be read in the fast way.
  public func isOtherNull(_ column: Int32) -> Bool { true }
  /// An integer of a column, for readers without direct access to the database's row, and for a zero that may stand for
  /// null. The result is nil for null.
  public func checkedInteger(_ column: Int32) -> Int64? { nil }
  public func checkedReal(_ column: Int32) -> Double? { nil }
  /// Text of a row that cannot be read in the fast way.
  public func otherText(_ column: Int32) -> String? { nil }
  public func data(_ column: Int32) -> Data? { nil }
  /// - Parameter count: 16, the size of a `UUID`.
  public func bytes(_ column: Int32, count: Int) -> UUID? { nil }

  /// The value of the property at `index`, or nil after noting a failure.
  func codable<Value: Decodable>(_ type: Value.Type, _ index: Int) -> Value? { nil }
  func transformable<Value>(_ type: Value.Type, _ index: Int) -> Value? { nil }

  /// Notes that the value of the property at `index` is not one that the property can have.
  public func reject(_ index: Int) {}
}

/// A row that has no values at all.
final class EmptyRowReader: _RowReader {
  init() {
    super.init(columns: Self.missing)
  }

  /// How many properties a model may have: `SchemaBuilder` refuses more.
  static let capacity = 4096

  /// As many negative columns as a model may have properties. They are written before anybody has their address, and
  /// never again.
  nonisolated(unsafe) private static let missing: UnsafePointer<Int32> = {
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    columns.initialize(repeating: -1, count: capacity)
    return UnsafePointer(columns)
  }()
}
