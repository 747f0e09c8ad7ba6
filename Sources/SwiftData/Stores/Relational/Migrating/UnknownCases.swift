import Relational

/// Values of a column that are not raw values of the new enumeration type.
struct UnknownCases {
  let values: ConvertedValues
  private let type: any RawRepresentable.Type

  /// Nil where the new type is no enumeration.
  init?(_ values: ConvertedValues, in layout: StoreLayout) {
    guard let property = values.column.property,
      let entity = values.column.owner.flatMap({ layout.layout(named: $0) })
        ?? layout.all.first(where: { $0.table == values.table && $0.root === $0 }),
      let attribute = entity.entity.property(
        at: [property.name] + property.part.split(separator: ".").map(String.init)) as? Schema.Attribute,
      attribute.transformer == nil, case .rawRepresentable = ColumnCoding(attribute),
      let type = unwrappedType(attribute.valueType) as? any RawRepresentable.Type
    else { return nil }
    self.values = values
    self.type = type
  }

  /// Lists the values in a store that has not been changed yet for which the enumeration has no case.
  ///
  /// - Parameter departing: The rows that earlier steps remove.
  func issue(
    _ departing: DepartingRows, _ connection: any Connection, _ dialect: any Dialect
  ) throws -> SwiftDataError.Issue? {
    let column = SQLExpression.column(values.source.column)
    var query = Select(
      columns: [column, .aggregate(.count, nil, distinct: false)],
      from: .init(table: values.source.table, alias: values.source.table),
      condition: departing.limit(.isNotNull(column), to: values.source.table))
    query.groupBy = [column]
    query.orderBy = [.init(column)]
    let type = self.type
    var modelCount = 0
    var found: [String] = []
    try connection.forEachRow(dialect.render(query)) { row in
      let value = row.value(0)
      if Self.has(type, value) { return }
      let count = Int(row.integer(1))
      modelCount += count
      if found.count <= RepeatedValues.limit {
        found.append("\(values.column.description(of: value)) (\(count.of("model")))")
      }
    }
    if found.isEmpty { return nil }
    return .init(
      entity: values.column.owner ?? values.table, property: values.column.sourceName,
      message: """
        Its type changed from \(values.types.previous) to \(values.types.present), and \(modelCount.of("model")) of the \
        store \(modelCount == 1 ? "has a value" : "have values") of it without a case: \
        \(RepeatedValues.list(found)). Add the cases, or change the values in a stage of a migration plan: \
        \(Remedy.beforehand).
        """)
  }

  private static func has<Raw: RawRepresentable>(_ type: Raw.Type, _ value: Value) -> Bool {
    guard let primitive = Raw.RawValue.self as? any _PrimitiveValue.Type,
      let read = SingleValueReader.read(primitive, from: value), let rawValue = read as? Raw.RawValue
    else { return false }
    return Raw(rawValue: rawValue) != nil
  }
}
