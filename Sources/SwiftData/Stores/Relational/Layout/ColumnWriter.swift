import Foundation

/// Passes the column values of a model to the subclass, one at a time.
class ColumnWriter: _RowWriter {
  private lazy var encoder: JSONEncoder = {
    let encoder = StoredJSON.makeEncoder()
    if let savedIdentifiers { encoder.userInfo[SavedIdentifiers.key] = savedIdentifiers }
    return encoder
  }()
  /// Set before anything is written.
  var savedIdentifiers: SavedIdentifiers?
  var failure: (any Error)?
  /// Whether a struct was encoded in another form than its columns have.
  var refused = false

  /// Writes a value whose first column is `column`.
  func encode(_ value: any Encodable, _ coding: ColumnCoding, _ column: Int32) throws {
    if let optional = value as? any OptionalValue {
      guard let wrapped = optional.wrapped as? any Encodable else {
        for offset in 0..<coding.columnCount { null(column + Int32(offset)) }
        return
      }
      return try encode(wrapped, coding, column)
    }
    switch coding {
    case .primitive:
      guard let primitive = value as? any _PrimitiveValue else { throw Mismatch() }
      primitive._write(self, column)
    case .rawRepresentable:
      guard let raw = value as? any RawRepresentable, let primitive = raw.rawValue as? any _PrimitiveValue else {
        throw Mismatch()
      }
      primitive._write(self, column)
    case .json, .transformable:
      text(String(decoding: try StoredJSON.encode(value, by: encoder), as: UTF8.self), column)
    case .composite(let hasPresence, let fields):
      for offset in 0..<coding.columnCount { null(column + Int32(offset)) }
      if hasPresence { integer(1, column) }
      try value.encode(to: CompositeEncoder(writer: self, fields: fields, column: column))
    }
  }

  /// The error of a value that does not fit its columns.
  struct Mismatch: Error {}
}
