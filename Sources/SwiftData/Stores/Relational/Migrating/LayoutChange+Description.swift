import Relational

extension LayoutChange {
  /// A description of the step.
  var summary: String {
    switch self {
    case .moveModels(let models): "moves \(models.kinds.joined(separator: ", ")) to another table"
    case .createTable(let table): "makes the table \(table.name)"
    case .addColumn(let table, let column): "adds \(column.described(in: table))"
    case .renameTable(let from, let to): "renames the table \(from) to \(to)"
    case .describeTable(let table): "records the entities and relationships of \(table)"
    case .renameColumn(let table, let from, let to): "renames \(table).\(from) to \(to)"
    case .markPresence(let table, let column, _): "marks where \(table).\(column) has a value"
    case .recordFiles(let table, let column): "allows external files for \(table).\(column)"
    case .adoptFiles(let table, let column, _): "moves the values of \(column.described(in: table)) from files to rows"
    case .archive(let values):
      "archives the values of \(values.source).\(values.columns.map(\.sourceName).joined(separator: ", "))"
    case .restore(let values):
      "restores the values of \(values.table).\(values.columns.map(\.sourceName).joined(separator: ", "))"
    case .normalizeTexts(let table, let columns):
      "normalizes the texts of \(table).\(columns.joined(separator: ", "))"
    case .convert(let values):
      "converts \(values.column.described(in: values.table)) from \(values.types.previous) to \(values.types.present)"
    case .requireValues(let values): "gives every row a value of \(values.column.described(in: values.table))"
    case .completeStructures(let field):
      "gives each structure a value of \(field.column.described(in: field.table))"
    case .checkTargets(let check): "checks the targets of \(check.entity).\(check.property)"
    case .completeLinks(let links): "makes the references between models of \(links.table) mutual"
    case .removeModels(let models): "removes \(models.kinds?.joined(separator: ", ") ?? models.table.name)"
    case .gatherLinks(let links): "collects the links of \(links.entity).\(links.property)"
    case .writeLinks(let links): "stores the links of \(links.entity).\(links.property) in their new location"
    case .dropColumn(let table, let column): "drops the column \(table).\(column)"
    case .createIndex(let table, let index):
      "makes \(index.isUnique ? "a unique index" : "an index") of \(table) on \(index.columns.joined(separator: ", "))"
    case .dropIndex(let index): "drops the index \(index.name)"
    case .createSearch(let search, let table): "makes a search index of \(table.name).\(search.column)"
    case .keepSearch(let search, let table): "makes the triggers of the search index of \(table.name).\(search.column)"
    case .dropSearch(let search): "drops the search index \(search.name)"
    case .dropTable(let table): "drops the table \(table)"
    case .rebuildTable(let table), .changeDeleteRules(let table): "rebuilds the table \(table.name) with its rows"
    }
  }

  /// The table whose rows the step reads or writes, by its name at that time; nil where its cost does not depend on them.
  var slowTable: String? {
    switch self {
    case .createTable, .addColumn, .renameTable, .describeTable, .renameColumn, .recordFiles, .dropIndex, .dropSearch,
      .keepSearch:
      nil
    case .markPresence(let table, _, _), .adoptFiles(let table, _, _), .normalizeTexts(let table, _),
      .dropColumn(let table, _), .createIndex(let table, _), .dropTable(let table):
      table
    case .archive(let values): values.source
    case .restore(let values): values.archived.areLinks ? values.archived.table : values.table
    case .convert(let values): values.table
    case .requireValues(let values): values.table
    case .completeStructures(let field): field.table
    case .checkTargets(let check): check.source.table
    case .completeLinks(let links): links.table
    case .moveModels(let models): models.source
    case .removeModels(let models): models.table.name
    case .gatherLinks(let links): links.old.table
    case .writeLinks(let links): links.table
    case .createSearch(_, let table): table.name
    case .rebuildTable(let table), .changeDeleteRules(let table): table.name
    }
  }

  /// Whether the step copies all rows of a table.
  var copiesTable: Bool {
    switch self {
    case .moveModels, .rebuildTable, .changeDeleteRules, .dropColumn: true
    default: false
    }
  }
}

extension TableDefinition.Column {
  fileprivate func described(in table: String) -> String {
    "\(owner ?? table).\(sourceName)"
  }
}
