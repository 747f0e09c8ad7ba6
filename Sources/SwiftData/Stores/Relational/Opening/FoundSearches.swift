import Relational

/// What a database has of the indexes for searches that tables are to have.
struct FoundSearches {
  private let existing: ExistingSearches
  private let dialect: any SearchDialect

  /// Nil where the database has no such indexes.
  init?(_ connection: any Connection, _ dialect: any Dialect) throws {
    guard let searches = dialect.searches else { return nil }
    self.dialect = searches
    existing = try connection.searches()
  }

  /// Whether all of an index is there, as it was made, and whoever writes to the table writes to it as well.
  func has(_ search: TableDefinition.Search, of table: TableDefinition) -> Bool {
    let definition = dialect.definition(of: search, on: table)
    return existing.tables[search.name] == definition.table
      && definition.triggers.allSatisfy { existing.triggers[$0.name] == $0.sql }
  }

  /// - Throws: `SwiftDataError` when there are triggers other than those of the tables' indexes, which are not trusted.
  func checkTriggers(_ tables: [TableDefinition]) throws {
    let own = ownTriggers(tables)
    try refuse(existing.triggers.filter { own[$0.key] != $0.value })
  }

  /// The same, where those may be changed that will be made anew.
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
      The store keeps indexes for searches by triggers, and has others that are unknown: \
      \(triggers.keys.sorted().joined(separator: ", ")).
      """,
      "Drop them with the program that made them. Nothing was written.")
  }
}

extension [TableDefinition] {
  /// Whether writing to one of the tables takes triggers that are trusted.
  var haveSearches: Bool {
    contains { $0.searches?.isEmpty == false }
  }

  /// The tables with those indexes for searches that are there.
  func withFoundSearches(_ connection: any Connection, _ dialect: any Dialect) throws -> Self {
    let found = haveSearches ? try FoundSearches(connection, dialect) : nil
    return map { table in
      var table = table
      table.searches = found.flatMap { found in table.searches?.filter { found.has($0, of: table) } }
      return table
    }
  }

  /// The tables as they are found: without indexes of keys that are not there, and with those for searches that are
  /// damaged marked as lost.
  func found(_ connection: any Connection, _ dialect: any Dialect) throws -> Self {
    let tables = try withoutDroppedKeys(connection)
    guard tables.haveSearches, let found = try FoundSearches(connection, dialect) else { return tables }
    return tables.map { table in
      var table = table
      // A damaged store may say that something else is an index, which would be dropped.
      table.searches = table.searches?.filter { $0.name.hasPrefix("\(LayoutNames.search)_") }
        .map { found.has($0, of: table) ? $0 : $0.lost }
      return table
    }
  }

  /// Lets triggers write to the tables' indexes for searches.
  ///
  /// - Throws: `SwiftDataError` when there are other triggers.
  func trustTriggers(
    _ connection: any Connection, _ dialect: any Dialect, _ folding: @autoclosure () -> FoldingFunction
  ) throws {
    guard haveSearches, let found = try FoundSearches(connection, dialect) else { return }
    try found.checkTriggers(self)
    try connection.trustTriggers(calling: [folding()])
  }
}

extension TableDefinition.Search {
  /// Whether it was found damaged.
  var isLost: Bool { function.isEmpty }

  /// The index as one that has nothing which anybody would look for.
  fileprivate var lost: Self {
    var lost = self
    lost.function = ""
    return lost
  }
}
