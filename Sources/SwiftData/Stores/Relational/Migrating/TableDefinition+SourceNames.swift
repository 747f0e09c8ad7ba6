import Relational

extension TableDefinition.Column {
  /// What the column has, as it is written in source: a property, or a field of one.
  var sourceName: String {
    property.map { Self.joined($0.name, $0.part) } ?? name
  }

  /// The same, as it was before a renaming.
  var originalSourceName: String {
    property.map { Self.joined($0.originalName, $0.part) } ?? (originalName.isEmpty ? name : originalName)
  }

  private static func joined(_ property: String, _ part: String) -> String {
    part.isEmpty || [Property.target, Property.position].contains(part) ? property : "\(property).\(part)"
  }
}

extension LayoutChange {
  /// What the values of a store are in the way of when the step has failed because they repeat.
  ///
  /// - Parameter tables: The tables as the steps leave them.
  func uniquenessIssues(_ tables: [TableDefinition]) -> [SwiftDataError.Issue] {
    let indexes: (table: String, list: [TableDefinition.Index]) =
      switch self {
      case .createIndex(let table, let index): (table, [index])
      case .rebuildTable(let table), .changeDeleteRules(let table): (table.name, table.indexes)
      case .normalizeTexts(let name, let columns):
        (name, tables.first { $0.name == name }?.indexes.filter { !Set(columns).isDisjoint(with: $0.columns) } ?? [])
      default: ("", [])
      }
    guard let table = tables.first(where: { $0.name == indexes.table }) else { return [] }
    return indexes.list.filter(\.isUnique).map { index in
      let columns = index.columns.compactMap { name in table.columns.first { $0.name == name } }
      let names = columns.map(\.sourceName)
      return SwiftDataError.Issue(
        entity: columns.lazy.compactMap(\.owner).first ?? table.name, property: names.count == 1 ? names[0] : nil,
        message: "Models of the store have the same \(names.joined(separator: " and ")), which has to be unique now.")
    }
  }
}
