import Relational

/// Decodes the preserved values of deleted rows, in the same way as rows.
final class TombstoneReader {
  private let store: RelationalStore
  /// The columns of each table, by name.
  private lazy var columns: [String: [String: TableDefinition.Column]] = Dictionary(
    store.layout.tables.map { table in
      (table.name, Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first })
    }
  ) { first, _ in first }

  init(_ store: RelationalStore) {
    self.store = store
  }

  /// The values of the present properties. A value that no property can have any more is left out.
  ///
  /// - Parameters:
  ///   - number: The number of the transaction.
  ///   - recorded: The changes of properties since.
  /// - Throws: ``PackedReader/Damage`` for damaged bytes.
  func values(
    of bytes: [UInt8], _ key: Int64, _ layout: EntityLayout, in number: Int64, _ recorded: RecordedProperties
  ) throws -> [HistoryTombstoneValue] {
    let parts = try Tombstone(reading: bytes).parts
    let projection = store.layout.projection(of: layout)
    let map = projection.map(layout.ordinal)
    var row = [Value](repeating: .null, count: projection.columns.count)
    row[0] = .integer(key)
    var properties: [(PropertyLayout, ColumnCoding)] = []
    for recordedPart in parts {
      guard let (part, previous) = recorded.present(recordedPart, in: layout.entity.name, number),
        let property = layout.property(recordedAs: part.property),
        case .attribute(let coding, let names, _) = property.storage, coding.columnCount == part.values.count,
        map[property.index] >= 0, !properties.contains(where: { $0.0.index == property.index })
      else { continue }
      let columns = names.compactMap { self.columns[layout.table]?[$0] }
      guard columns.canHave(part.values), previous.isEmpty || previous.haveTheSame(as: columns) else { continue }
      let first = Int(map[property.index])
      row.replaceSubrange(first..<first + part.values.count, with: part.values)
      properties.append((property, coding))
    }
    if properties.isEmpty { return [] }
    properties.sort { $0.0.index < $1.0.index }
    var values: [HistoryTombstoneValue] = []
    let statement = ValueRow(row)
    withExtendedLifetime(statement) {
      let reader = StatementRowReader(statement, projection, layout.ordinal, nil)
      defer { reader.end() }
      reader.begin(layout.ordinal)
      for (property, coding) in properties {
        guard let value = reader.value(of: property, coding, layout) else { continue }
        values.append(HistoryTombstoneValue(property: property.index, value: value))
      }
    }
    return values
  }
}

extension StatementRowReader {
  /// The value of an attribute; nil if it is nil, or if the property cannot have it.
  fileprivate func value(of property: PropertyLayout, _ coding: ColumnCoding, _ layout: EntityLayout) -> Any? {
    guard let type = layout.entity.attributesByName[property.name]?.valueType else { return nil }
    if case .transformable = coding {
      func open<Value>(_ type: Value.Type) -> Any? { transformable(type, property.index).flatMap { flattened($0) } }
      return _openExistential(type, do: open)
    }
    guard let decodable = unwrappedType(type) as? any Decodable.Type, !isNil(coding, columns[property.index]) else {
      return nil
    }
    func open<Value: Decodable>(_ type: Value.Type) -> Any? { try? decode(type, coding, columns[property.index]) }
    return open(decodable)
  }
}
