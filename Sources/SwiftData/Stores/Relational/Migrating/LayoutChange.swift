import Relational

/// One step that takes a store's tables from one layout to another without asking anybody.
enum LayoutChange: Hashable {
  /// Takes models to the tables in which the schema has their classes. It comes before all others.
  case moveModels(MovedModels)
  case createTable(TableDefinition)
  case addColumn(table: String, TableDefinition.Column)
  case renameTable(from: String, to: String)
  /// Nothing but what is recorded of a table.
  case describeTable(String)
  case renameColumn(table: String, from: String, to: String)
  /// Sets a column to 1 in rows that have a value in one of some others.
  case markPresence(table: String, column: String, of: [String])
  /// Nothing but what is recorded: from now on a column names files.
  case recordFiles(table: String, column: String)
  /// Puts what files have into the rows that name them, where a column names files no more. Whether it did is known, or
  /// a store of an earlier release does not say.
  case adoptFiles(table: String, TableDefinition.Column, isKnown: Bool)
  /// Puts values aside that the schema has no place for.
  case keep(ArchivedValues)
  case restore(ReturningValues)
  /// Gives texts the form that all equal ones have, in columns that unique values are made of now.
  case normalizeTexts(table: String, columns: [String])
  /// Makes values of one type those of another.
  case convert(ConvertedValues)
  /// Gives default values to rows that lack one and must have one from now on, or finds that none does.
  case requireValues(RequiredValues)
  /// Gives structures the default value of a field that they lack, or finds that none has to have one.
  case completeStructures(StructureField)
  /// Nothing, or finds that a relationship has targets that it takes no more.
  case checkTargets(TargetCheck)
  /// Makes models lead to each other where one leads to the other.
  case completeLinks(MutualLinks)
  case removeModels(RemovedModels)
  /// Puts links aside while the tables change.
  case gatherLinks(MovedLinks)
  case placeLinks(MovedLinks)
  case dropColumn(table: String, column: String)
  case createIndex(table: String, TableDefinition.Index)
  case dropIndex(TableDefinition.Index)
  case createSearch(TableDefinition.Search, on: TableDefinition)
  /// Makes what keeps an index for searches, after its table has been made anew.
  case keepSearch(TableDefinition.Search, of: TableDefinition)
  case dropSearch(TableDefinition.Search)
  case dropTable(String)
  /// Makes a table anew, with the rows it has, where its definition changed in a way that cannot be added or dropped.
  /// By then it has all columns of the new definition.
  case rebuildTable(TableDefinition)
  /// The same, where nothing but what happens to a reference when its target goes is another thing.
  case changeDeleteRules(TableDefinition)

  /// Why a layout cannot become another one silently.
  struct Obstacles: Error {
    var issues: [SwiftDataError.Issue]
    /// The steps that would be taken otherwise, and that rows of the store may be in the way of.
    var checks: [LayoutChange] = []
  }

  /// The steps, in an order that works; or everything that stands in the way.
  ///
  /// - Parameters:
  ///   - kept: What lies aside, the latest last.
  ///   - taken: Names that tables have beside those of the layouts.
  ///   - rows: What is known of the rows. What is not known of them may be in the way.
  static func changes(
    from old: [TableDefinition], to new: [TableDefinition], kept: [ArchivedValues] = [], taken: Set<String> = [],
    rows: RowFacts = RowFacts()
  ) -> Result<[LayoutChange], Obstacles> {
    LayoutDiff(from: old, to: new, kept: kept, taken: taken, rows: rows).result
  }

  func statements(_ dialect: any Dialect) -> [RenderedStatement] {
    switch self {
    case .createTable(let table): dialect.createTable(table).map { .init($0) }
    case .addColumn(let table, let column): [.init(dialect.addColumn(column, to: table))]
    // What is in files, no statement can tell; links, texts and values are looked at before any is written; and which
    // rows have to have a value, the schema tells.
    case .describeTable, .recordFiles, .adoptFiles, .completeLinks, .normalizeTexts, .convert, .requireValues,
      .checkTargets:
      []
    case .completeStructures(let field): field.update.map { [dialect.render($0)] } ?? []
    case .moveModels(let models): models.statements(dialect)
    case .removeModels(let models): models.statements(dialect)
    case .gatherLinks(let links): links.gathering(dialect)
    case .placeLinks(let links): links.placing(dialect)
    case .renameTable(let from, let to): [.init(dialect.renameTable(from, to: to))]
    case .renameColumn(let table, let from, let to): [.init(dialect.renameColumn(from, of: table, to: to))]
    case .markPresence(let table, let column, let others):
      [
        dialect.render(
          Update(table, set: [.init(column, .value(.integer(1)))], where: .hasValue(inOneOf: others)))
      ]
    case .keep(let kept): kept.statements(dialect)
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

  /// Whether the step is about where values lie or how links are kept, and the models are what they were.
  var keepsModels: Bool {
    switch self {
    case .recordFiles, .adoptFiles, .changeDeleteRules, .completeLinks, .normalizeTexts: true
    default: isAboutSorting || isAboutSearches
    }
  }

  /// Whether the step is about an index of keys of texts, which come and go with the rules for these.
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
