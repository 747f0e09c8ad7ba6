import Foundation
import Relational

/// Collects column values instead of writing them: for comparisons in SQL and for default values.
final class ValueCollector: ColumnWriter {
  private(set) var values: [Int32: Value] = [:]
  private let wanted: Set<Int>?
  private let layout: EntityLayout?
  private let keys: (any PersistentModel) -> Int64?

  init(
    _ layout: EntityLayout? = nil, properties: Set<Int>? = nil,
    keys: @escaping (any PersistentModel) -> Int64? = { $0._$withState { $0.key > 0 ? $0.key : nil } }
  ) {
    self.layout = layout
    wanted = properties
    self.keys = keys
  }

  /// The column values of an attribute's value; empty if it cannot be encoded.
  static func values(of value: Any, _ coding: ColumnCoding) -> [Value] {
    (try? collected(value, coding).values) ?? []
  }

  /// The column values of an attribute's value, or of nil.
  ///
  /// - Throws: An error if the value cannot be encoded in these columns.
  static func columns(of value: Any, _ coding: ColumnCoding) throws -> [Value] {
    guard let value = flattened(value) else { return Array(repeating: .null, count: coding.columnCount) }
    let (values, isOfShape) = try collected(value, coding)
    guard isOfShape else { throw Mismatch() }
    return values
  }

  private static func collected(_ value: Any, _ coding: ColumnCoding) throws -> (values: [Value], isOfShape: Bool) {
    if case .transformable(let transformer) = coding {
      guard let data = transformer.data(for: value) else { throw Mismatch() }
      return ([.blob(data)], true)
    }
    guard let encodable = value as? any Encodable else { throw Mismatch() }
    let collector = ValueCollector()
    try collector.encode(encodable, coding, 0)
    return ((0..<Int32(coding.columnCount)).map { collector.values[$0] ?? .null }, !collector.refused)
  }

  /// The column of a property in the collector: far enough apart for composites.
  static func column(_ index: Int) -> Int32 {
    Int32(index) << 12
  }

  override func column(_ index: Int) -> Int32? {
    guard let wanted else { return Self.column(index) }
    return wanted.contains(index) ? Self.column(index) : nil
  }

  override func null(_ column: Int32) { values[column] = .null }
  override func integer(_ value: Int64, _ column: Int32) { values[column] = .integer(value) }
  override func text(_ value: String, _ column: Int32) { values[column] = .text(value) }
  override func data(_ value: Data, _ column: Int32) { values[column] = .blob(value) }
  override func bytes(_ value: UnsafeRawBufferPointer, _ column: Int32) { values[column] = .blob(Data(value)) }

  override func real(_ value: Double, _ column: Int32) {
    values[column] = ColumnEncoding.value(of: value)
  }

  override func codable<Value: Encodable>(_ value: Value, _ index: Int, _ column: Int32) {
    guard let layout, case .attribute(let coding, _, _) = layout.properties[index].storage else { return }
    do {
      try encode(value, coding, column)
    } catch {
      failure = failure ?? error
    }
  }

  override func reference(_ target: any PersistentModel, _ column: Int32) {
    values[column] = keys(target).map { .integer($0) } ?? .null
  }
}
