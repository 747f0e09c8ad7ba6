import Relational

extension TableDefinition.Column {
  /// The property of the column as source code names it, or a field of one.
  var sourceName: String {
    property.map { Self.joined($0.name, $0.part) } ?? name
  }

  /// The property before a renaming.
  var originalSourceName: String {
    property.map { Self.joined($0.originalName, $0.part) } ?? (originalName.isEmpty ? name : originalName)
  }

  private static func joined(_ property: String, _ part: String) -> String {
    part.isEmpty || [Property.target, Property.position].contains(part) ? property : "\(property).\(part)"
  }
}

extension LayoutChange {
  /// Whether the step may create constraints.
  var makesConstraints: Bool {
    switch self {
    case .createIndex, .rebuildTable: true
    default: false
    }
  }

  /// The uniqueness constraints that repeated values violate.
  ///
  /// - Parameters:
  ///   - tables: The tables after the steps.
  ///   - simulated: The simulated store before the step, to predict its failure; nil when it has failed.
  func uniquenessIssues(
    _ tables: [TableDefinition], _ connection: any Connection, _ dialect: any Dialect,
    simulated: MigrationSimulator? = nil
  ) throws -> [SwiftDataError.Issue] {
    /// The indexes of a table on some columns.
    func indexes(of table: String, with columns: [String]) -> [TableDefinition.Index] {
      tables.first { $0.name == table }?.indexes.filter { !Set(columns).isDisjoint(with: $0.columns) } ?? []
    }
    let changed: (table: String, list: [TableDefinition.Index]) =
      switch self {
      case .createIndex(let table, let index): (table, [index])
      case .rebuildTable(let table), .changeDeleteRules(let table): (table.name, table.indexes)
      case .normalizeTexts(let name, let columns): (name, indexes(of: name, with: columns))
      case .convert(let values): (values.table, indexes(of: values.table, with: [values.column.name]))
      case .requireValues(let values): (values.table, indexes(of: values.table, with: values.columns.map(\.name)))
      case .completeStructures(let field): (field.table, indexes(of: field.table, with: [field.column.name]))
      default: ("", [])
      }
    guard let table = tables.first(where: { $0.name == changed.table }) else { return [] }
    typealias Constraint = (columns: [TableDefinition.Column], values: String?)
    let constraints = try changed.list.filter(\.isUnique).map { index -> Constraint in
      let columns = index.columns.compactMap { name in table.columns.first { $0.name == name } }
      let repeated: RepeatedValues? =
        if let simulated {
          simulated.repeatedValues(columns, in: table.name)
        } else {
          RepeatedValues(table: table.name, columns: columns)
        }
      return (columns, try repeated?.describe(connection, dialect))
    }
    // If no row has the values yet, any of the constraints may be the one that would be violated.
    let isKnown = simulated != nil || constraints.contains { $0.values != nil }
    return constraints.filter { !isKnown || $0.values != nil }.map { columns, values in
      let names = columns.map(\.sourceName)
      let entity = columns.lazy.compactMap(\.owner).first ?? table.name
      return SwiftDataError.Issue(
        entity: entity, property: names.count == 1 ? names[0] : nil,
        message: """
          Models of the store have the same \(names.joined(separator: " and ")), which has to be unique \
          now\(values.map { ": \($0)" } ?? "").\(remedy(for: entity))
          """)
    }
  }

  /// The code that merges models with repeated values.
  private func remedy(for entity: String) -> String {
    // If they were unique before, no stage can merge them: the older version cannot be opened either.
    if case .normalizeTexts = self { return "" }
    return " A stage of a migration plan merges them: \(Remedy.merging(entity))."
  }
}
