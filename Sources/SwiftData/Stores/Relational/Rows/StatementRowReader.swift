import Foundation
import Relational

/// Reads model values from the current row of a statement, until `end()`.
final class StatementRowReader: _RowReader {
  /// Not retained, because the caller of the reader retains it. If a retained reader retained it too, the connection
  /// would not reuse the statement.
  private let source: Unmanaged<Statement>
  /// Whether there is a row to read. A user's type may have retained a decoder, which checks this.
  private(set) var isLent = true
  private let projection: Projection
  private let files: ExternalFiles?
  private var layout: EntityLayout
  private lazy var decoder = StoredJSON.makeDecoder()
  /// The error of the file of the last value.
  private var fileFailure: (any Error)?

  init(_ statement: Statement, _ projection: Projection, _ ordinal: Int, _ files: ExternalFiles?) {
    source = .passUnretained(statement)
    self.projection = projection
    self.files = files
    layout = projection.layout(ordinal)
    let access = statement.access
    super.init(
      columns: projection.map(ordinal), row: access.row, integer: access.integer, real: access.real,
      value: access.value, text: access.text, length: access.length, kind: access.kind)
  }

  private var statement: Statement { source.takeUnretainedValue() }

  /// Prepares for another row of the same statement.
  ///
  /// - Returns: False if the statement is another one.
  func resume(_ statement: Statement) -> Bool {
    guard source.toOpaque() == Unmanaged.passUnretained(statement).toOpaque(), row == statement.access.row else {
      return false
    }
    isLent = true
    return true
  }

  /// Ends the use of the row.
  func end() {
    isLent = false
    fileFailure = nil
  }

  /// Prepares for a row of an entity.
  func begin(_ ordinal: Int) {
    guard layout.ordinal != ordinal else { return }
    layout = projection.layout(ordinal)
    columns = projection.map(ordinal)
  }

  override func checkedInteger(_ column: Int32) -> Int64? {
    // A database may return zero for null, and for text and bytes that are no number.
    switch statement.type(of: column) {
    case .null: return nil
    case .integer, .real: return statement.integer(column)
    case .text, .blob: return refuseNumber(column)
    }
  }

  private func refuseNumber(_ column: Int32) -> Int64? {
    let properties = layout.properties.indices.filter { columns[$0] >= 0 && columns[$0] <= column }
    if let index = properties.max(by: { columns[$0] < columns[$1] }) { reject(index) }
    return nil
  }

  override func checkedReal(_ column: Int32) -> Double? {
    switch statement.type(of: column) {
    case .null: return nil
    case .text: return ColumnEncoding.real(.text(statement.text(column)))
    default: return statement.real(column)
    }
  }

  override func isOtherNull(_ column: Int32) -> Bool {
    statement.isNull(column)
  }

  override func otherNumber(_ column: Int32) -> Int64 {
    statement.integer(column)
  }

  override func otherText(_ column: Int32) -> String? {
    statement.textIfPresent(column)
  }

  override func data(_ column: Int32) -> Data? {
    if statement.isNull(column) { return nil }
    // A text instead of bytes is the name of a file, whether or not the property still uses external storage.
    if statement.type(of: column) == .text {
      do {
        return try files?.read(statement.text(column))
      } catch {
        fileFailure = error
        return nil
      }
    }
    return statement.withBlob(column) { Data($0) }
  }

  override func bytes(_ column: Int32, count: Int) -> UUID? {
    if statement.isNull(column) { return nil }
    // Any bytes of the size of a UUID are a UUID.
    return statement.withBlob(column) { $0.count == count ? $0.loadUnaligned(as: UUID.self) : nil }
  }

  override func codable<Value: Decodable>(_ type: Value.Type, _ index: Int) -> Value? {
    guard case .attribute(let coding, _, _) = layout.properties[index].storage else {
      reject(index)
      return nil
    }
    do {
      let value = try decode(type, coding, columns[index])
      if layout.runtime.properties[index].needsFallbackValue { FallbackValues.record(value) }
      return value
    } catch {
      reject(index, error)
      return nil
    }
  }

  /// The value of an attribute, or of a field of a composite, whose first column is `column`.
  func decode<Value: Decodable>(_ type: Value.Type, _ coding: ColumnCoding, _ column: Int32) throws -> Value {
    if let optional = type as? any OptionalValue.Type {
      if isNil(coding, column) {
        guard let none = optional.none as? Value else { throw Mismatch() }
        return none
      }
      guard let wrapped = optional.wrappedType as? any Decodable.Type,
        let value = try decode(wrapped, coding, column) as? Value
      else { throw Mismatch() }
      return value
    }
    switch coding {
    case .primitive(let primitive):
      guard let value = primitive._read(self, column) as? Value else { throw Mismatch() }
      return value
    case .rawRepresentable(let primitive):
      guard let raw = type as? any RawRepresentable.Type, let rawValue = primitive._read(self, column),
        let value = Self.make(raw, rawValue) as? Value
      else { throw Mismatch() }
      return value
    case .json, .transformable:
      guard let text = text(column) else { throw Mismatch() }
      return try decoder.decode(type, from: Data(text.utf8))
    case .composite(let hasPresence, let fields):
      if hasPresence, isNull(column) { throw Mismatch() }
      return try type.init(from: CompositeDecoder(reader: self, fields: fields, column: column))
    }
  }

  private static func make<Raw: RawRepresentable>(_ type: Raw.Type, _ rawValue: Any) -> Raw? {
    (rawValue as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }

  func isNil(_ coding: ColumnCoding, _ column: Int32) -> Bool {
    guard case .composite(let hasPresence, let fields) = coding else { return isNull(column) }
    if hasPresence { return isNull(column) }
    // A composite exists if any of its required fields has a value.
    return fields.filter { !$0.isOptional }.allSatisfy { isNil($0.coding, column + Int32($0.offset)) }
  }

  override func transformable<Value>(_ type: Value.Type, _ index: Int) -> Value? {
    guard case .attribute(.transformable(let transformer), _, _) = layout.properties[index].storage else {
      reject(index)
      return nil
    }
    guard let data = data(columns[index]) else {
      if isNull(columns[index]), let optional = type as? any OptionalValue.Type { return optional.none as? Value }
      reject(index)
      return nil
    }
    if let value = transformer.value(for: data) as? Value {
      if layout.runtime.properties[index].needsFallbackValue { FallbackValues.record(Value.self, data, transformer) }
      return value
    }
    reject(index)
    return nil
  }

  override func reject(_ index: Int) {
    reject(index, nil)
  }

  private func reject(_ index: Int, _ error: (any Error)?) {
    rejected |= _ModelState.bit(index)
    guard failure == nil else { return }
    let name = layout.properties[index].name
    let error = fileFailure ?? (error is Mismatch ? nil : error)
    failure = SwiftDataError.modelValidationFailure.with(
      entity: layout.entity.name, property: name,
      message: "The store has a value for \(layout.entity.name).\(name) that the property cannot have.",
      hint: "Row \(statement.integer(0)) of table \(layout.table) holds it.",
      underlying: error)
  }

  struct Mismatch: Error {}
}
