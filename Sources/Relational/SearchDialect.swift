/// The SQL of search indexes, which find texts by their parts.
///
/// Triggers keep such an index up to date with its table. The index only finds the rows that may contain a part, so each result
/// has to be tested.
package protocol SearchDialect: Sendable {
  /// The statements that create an index, by which it is also recognized.
  func definition(of search: TableDefinition.Search, on table: TableDefinition) -> SearchDefinition

  /// The statement that fills an empty index with the texts of a table.
  func fill(_ search: TableDefinition.Search, from table: TableDefinition) -> String

  /// The statements that drop an index, even an incomplete one.
  func drop(_ search: TableDefinition.Search) -> [String]
}

/// The statements that create the parts of a search index.
package struct SearchDefinition: Hashable, Sendable {
  package struct Trigger: Hashable, Sendable {
    package var name: String
    package var sql: String

    package init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  package var table: String
  package var triggers: [Trigger]

  package init(table: String, triggers: [Trigger]) {
    self.table = table
    self.triggers = triggers
  }
}

/// The search indexes of a database, and all triggers: the statements that created them, by name.
package struct ExistingSearches: Hashable, Sendable {
  /// The indexes that are complete.
  package var tables: [String: String]
  package var triggers: [String: String]

  package init(tables: [String: String] = [:], triggers: [String: String] = [:]) {
    self.tables = tables
    self.triggers = triggers
  }
}

extension SearchDialect {
  /// The statements that create an index of the existing texts and keep it up to date.
  package func create(_ search: TableDefinition.Search, on table: TableDefinition) -> [String] {
    let definition = definition(of: search, on: table)
    return [definition.table, fill(search, from: table)] + definition.triggers.map(\.sql)
  }
}
