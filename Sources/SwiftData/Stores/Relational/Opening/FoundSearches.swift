import Relational

/// The search indexes that a database has.
struct FoundSearches {
  private let existing: ExistingSearches
  private let dialect: any SearchDialect

  /// Nil if the database does not support search indexes.
  init?(_ connection: any Connection, _ dialect: any Dialect) throws {
    guard let searches = dialect.searches else { return nil }
    self.dialect = searches
    existing = try connection.searches()
  }

  /// Whether an index and its triggers exist with their original definitions.
  func has(_ search: TableDefinition.Search, of table: TableDefinition) -> Bool {
    let definition = dialect.definition(of: search, on: table)
    return existing.tables[search.name] == definition.table
      && definition.triggers.allSatisfy { existing.triggers[$0.name] == $0.sql }
  }

  /// - Throws: `SwiftDataError` when there are unknown triggers, which are not trusted.
  func checkTriggers(_ tables: [TableDefinition]) throws {
    let own = ownTriggers(tables)
    try refuse(existing.triggers.filter { own[$0.key] != $0.value })
  }

  /// Checks only the names of triggers, where changed ones will be made again.
  func checkTriggerNames(_ tables: [TableDefinition]) throws {
    let own = ownTriggers(tables)
    try refuse(existing.triggers.filter { own[$0.key] == nil })
  }

  private func ownTriggers(_ tables: [TableDefinition]) -> [String: String] {
    let triggers = tables.flatMap { table in
      (table.searches ?? []).flatMap { dialect.definition(of: $0, on: table).triggers }
    }
    return Dictionary(triggers.map { ($0.name, $0.sql) }) { first, _ in first }
  }

  private func refuse(_ triggers: [String: String]) throws {
    if triggers.isEmpty { return }
    throw StoreOpening.refusal(
      """
      The store's search indexes use triggers, and the store has unknown ones: \
      \(triggers.keys.sorted().joined(separator: ", ")).
      """,
      "Drop them with the program that made them. Nothing was written.")
  }
}

extension [TableDefinition] {
  /// Whether writing to one of the tables runs triggers.
  var haveSearches: Bool {
    contains { $0.searches?.isEmpty == false }
  }

  /// The tables with those search indexes that exist.
  func withFoundSearches(_ connection: any Connection, _ dialect: any Dialect) throws -> Self {
    let found = haveSearches ? try FoundSearches(connection, dialect) : nil
    return map { table in
      var table = table
      table.searches = found.flatMap { found in table.searches?.filter { found.has($0, of: table) } }
      return table
    }
  }

  /// The tables as they are in the database: without missing indexes of sort keys, and with damaged search indexes marked
  /// as lost.
  func found(_ connection: any Connection, _ dialect: any Dialect) throws -> Self {
    let tables = try withoutDroppedKeys(connection)
    guard tables.haveSearches, let found = try FoundSearches(connection, dialect) else { return tables }
    return tables.map { table in
      var table = table
      // A damaged store may list another table as an index, which would be dropped.
      table.searches = table.searches?.filter { $0.name.hasPrefix("\(LayoutNames.search)_") }
        .map { found.has($0, of: table) ? $0 : $0.lost }
      return table
    }
  }

  /// Allows triggers to write to the tables' search indexes.
  ///
  /// - Throws: `SwiftDataError` when there are unknown triggers.
  func trustTriggers(
    _ connection: any Connection, _ dialect: any Dialect, _ folding: @autoclosure () -> FoldingFunction
  ) throws {
    guard haveSearches, let found = try FoundSearches(connection, dialect) else { return }
    try found.checkTriggers(self)
    try connection.trustTriggers(calling: [folding()])
  }
}

extension TableDefinition.Search {
  /// Whether the index was found damaged.
  var isLost: Bool { function.isEmpty }

  /// The index without a function, so that it equals no index of a schema.
  fileprivate var lost: Self {
    var lost = self
    lost.function = ""
    return lost
  }
}
