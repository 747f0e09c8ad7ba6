import Relational

/// One step of a migration that needs no code of the application.
enum LayoutChange: Hashable {
  /// Moves models to the tables in which the schema has their classes. It precedes all other steps.
  case moveModels(ModelMove)
  case createTable(TableDefinition)
  case addColumn(table: String, TableDefinition.Column)
  case renameTable(from: String, to: String)
  /// Changes only what the store records about a table.
  case describeTable(String)
  case renameColumn(table: String, from: String, to: String)
  /// Sets a column to 1 in rows that have a value in one of `of`.
  case markPresence(table: String, column: String, of: [String])
  /// Changes only what the store records: from now on a column may name files.
  case recordFiles(table: String, column: String)
  /// Moves the contents of files into the rows that name them, where a column may not name files any more. `isKnown` is
  /// false where a store of an earlier release does not record whether the column did.
  case adoptFiles(table: String, TableDefinition.Column, isKnown: Bool)
  /// Archives the values of removed properties.
  case archive(ArchivedValues)
  case restore(RestoredValues)
  /// Normalizes texts in columns that are part of unique values now.
  case normalizeTexts(table: String, columns: [String])
  /// Converts the values of a column to another type.
  case convert(ConvertedValues)
  /// Gives the default value to rows without a value that must have one now; fails where there is no default value.
  case requireValues(RequiredValues)
  /// Gives the default value of a field to structures without it; fails where one must have it and there is no default.
  case completeStructures(StructureField)
  /// Fails where a relationship has targets that the schema does not allow any more; changes nothing.
  case checkTargets(TargetCheck)
  /// Makes a model refer to the one that refers to it, where a to-one is its own inverse now.
  case completeLinks(MutualLinks)
  case removeModels(RemovedModels)
  /// Collects links in a temporary table while the tables change.
  case gatherLinks(MovedLinks)
  case writeLinks(MovedLinks)
  case dropColumn(table: String, column: String)
  case createIndex(table: String, TableDefinition.Index)
  case dropIndex(TableDefinition.Index)
  case createSearch(TableDefinition.Search, on: TableDefinition)
  /// Makes the triggers of a search index again after its table has been rebuilt.
  case keepSearch(TableDefinition.Search, of: TableDefinition)
  case dropSearch(TableDefinition.Search)
  case dropTable(String)
  /// Rebuilds a table with its rows, for a change of its definition that needs more than adding or dropping columns. By
  /// then it has all columns of the new definition.
  case rebuildTable(TableDefinition)
  /// Rebuilds a table of which only the delete rules of foreign keys change.
  case changeDeleteRules(TableDefinition)

  /// The reasons why a layout cannot become another one without code of the application.
  struct Obstacles: Error {
    var issues: [SwiftDataError.Issue]
    /// The steps that would follow otherwise, to check the rows of the store for further issues.
    var checks: [LayoutChange] = []
  }

  /// The steps, in the order of their execution; or all obstacles.
  ///
  /// - Parameters:
  ///   - archived: The archived values, the latest last.
  ///   - taken: The names of tables beside those of the layouts.
  ///   - rows: The known facts about the rows. An unknown fact counts as an obstacle.
  static func changes(
    from old: [TableDefinition], to new: [TableDefinition], archived: [ArchivedValues] = [], taken: Set<String> = [],
    rows: RowFacts = RowFacts()
  ) -> Result<[LayoutChange], Obstacles> {
    LayoutDiff(from: old, to: new, archived: archived, taken: taken, rows: rows).result
  }

  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    switch self {
    case .createTable(let table): dialect.createTable(table).map { .init($0) }
    case .addColumn(let table, let column): [.init(dialect.addColumn(column, to: table))]
    // These steps run code before or instead of statements: it reads files, checks links, texts and values, or depends on
    // the schema.
    case .describeTable, .recordFiles, .adoptFiles, .completeLinks, .normalizeTexts, .convert, .requireValues,
      .checkTargets:
      []
    case .completeStructures(let field): field.update.map { [dialect.render($0)] } ?? []
    case .moveModels(let models): models.statements(dialect)
    case .removeModels(let models): models.statements(dialect)
    case .gatherLinks(let links): links.gathering(dialect)
    case .writeLinks(let links): links.writing(dialect)
    case .renameTable(let from, let to): [.init(dialect.renameTable(from, to: to))]
    case .renameColumn(let table, let from, let to): [.init(dialect.renameColumn(from, of: table, to: to))]
    case .markPresence(let table, let column, let others):
      [
        dialect.render(
          Update(table, set: [.init(column, .value(.integer(1)))], where: .hasValue(inOneOf: others)))
      ]
    case .archive(let archived): archived.statements(dialect)
    case .restore(let values): values.statements(dialect)
    case .dropColumn(let table, let column): dialect.dropColumn(column, from: table).map { .init($0) }
    case .createIndex(let table, let index): [.init(dialect.createIndex(index, on: table))]
    case .dropIndex(let index): [.init(dialect.dropIndex(index.name))]
    case .createSearch, .keepSearch, .dropSearch:
      dialect.searches.map { searchStatements($0).map { .init($0) } } ?? []
    case .dropTable(let name): [.init(dialect.dropTable(name))]
    case .rebuildTable(let table), .changeDeleteRules(let table): Self.rebuild(table, dialect)
    }
  }

  /// Whether the step only changes how values or links are stored, and no model.
  var keepsModels: Bool {
    switch self {
    case .recordFiles, .adoptFiles, .changeDeleteRules, .completeLinks, .normalizeTexts: true
    default: isAboutSorting || isAboutSearches
    }
  }

  /// Whether the step is about an index of sort keys, which change with the rules of the locale.
  var isAboutSorting: Bool {
    switch self {
    case .createIndex(_, let index), .dropIndex(let index): index.functions != nil
    default: false
    }
  }

  private static func rebuild(_ table: TableDefinition, _ dialect: any Dialect) -> [RenderedStatement] {
    var copy = table
    copy.name = "swiftdata_rebuilt_\(table.name)"
    copy.indexes = []
    copy.searches = nil
    let names = table.columns.map(\.name)
    let copying = Insert(into: copy.name, columns: names, from: Select(columns: names, from: table.name))
    return dialect.createTable(copy).map { .init($0) } + [
      dialect.render(copying), .init(dialect.dropTable(table.name)),
      .init(dialect.renameTable(copy.name, to: table.name)),
    ] + table.indexes.map { .init(dialect.createIndex($0, on: table.name)) }
  }
}
