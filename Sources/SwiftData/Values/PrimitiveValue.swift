public import Foundation

/// A type that a store keeps in a column of a matching kind, and not encoded.
public protocol _PrimitiveValue: Codable, Hashable, Sendable {
  /// The value in `column`; nil if the column is null or has no value of this type.
  static func _read(_ row: _RowReader, _ column: Int32) -> Self?
  func _write(_ row: _RowWriter, _ column: Int32)
}

extension _PrimitiveValue where Self: FixedWidthInteger {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> Self? {
    row.integer(column).flatMap { Self(exactly: $0) }
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.integer(Int64(self), column)
  }
}

extension Int: _PrimitiveValue {}
extension Int8: _PrimitiveValue {}
extension Int16: _PrimitiveValue {}
extension Int32: _PrimitiveValue {}
extension Int64: _PrimitiveValue {}
extension UInt8: _PrimitiveValue {}
extension UInt16: _PrimitiveValue {}
extension UInt32: _PrimitiveValue {}

extension UInt64: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> UInt64? {
    if row.isNull(column) { return nil }
    if let wide = row.data(column).flatMap(ColumnEncoding.wideInteger) { return wide }
    return row.integer(column).flatMap(UInt64.init(exactly:))
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    if let narrow = Int64(exactly: self) {
      row.integer(narrow, column)
    } else {
      ColumnEncoding.withBytes(of: self) { row.bytes($0, column) }
    }
  }
}

extension UInt: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> UInt? {
    UInt64._read(row, column).flatMap(UInt.init(exactly:))
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    UInt64(self)._write(row, column)
  }
}

extension Bool: _PrimitiveValue {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> Bool? {
    row.integer(column).map { $0 != 0 }
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.integer(self ? 1 : 0, column)
  }
}

extension Double: _PrimitiveValue {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> Double? {
    row.real(column)
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.real(self, column)
  }
}

extension Float: _PrimitiveValue {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> Float? {
    row.real(column).map { Float($0) }
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.real(Double(self), column)
  }
}

extension String: _PrimitiveValue {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> String? {
    row.text(column)
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.text(self, column)
  }
}

extension Date: _PrimitiveValue {
  @inlinable @inline(__always)
  public static func _read(_ row: _RowReader, _ column: Int32) -> Date? {
    row.real(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  @inlinable
  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.real(timeIntervalSinceReferenceDate, column)
  }
}

extension Data: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> Data? {
    row.data(column)
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.data(self, column)
  }
}

extension UUID: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> UUID? {
    row.bytes(column, count: 16)
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    withUnsafeBytes(of: uuid) { row.bytes($0, column) }
  }
}

extension URL: _PrimitiveValue {
  public static func _read(_ row: _RowReader, _ column: Int32) -> URL? {
    row.text(column).flatMap(URL.init(columnText:))
  }

  /// - Parameter text: The text in the column of the URL.
  init?(columnText text: String) {
    // A relative URL with a base is stored as both parts; no URL has a line feed.
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      self.init(string: String(parts[1]), relativeTo: URL(string: String(parts[0])))
    } else {
      self.init(string: text)
    }
  }

  public func _write(_ row: _RowWriter, _ column: Int32) {
    row.text(baseURL.map { "\($0.absoluteString)\n\(relativeString)" } ?? absoluteString, column)
  }
}
