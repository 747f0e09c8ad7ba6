/// How a database spells indexes in which texts are looked up by parts of them.
///
/// Triggers keep such an index: whoever writes to its table writes to it as well. It tells of no text in full, only which
/// rows may have a part, and what it finds has to be tested.
package protocol SearchDialect: Sendable {
  /// What makes the parts of an index, and of what it is known again.
  func definition(of search: TableDefinition.Search, on table: TableDefinition) -> SearchDefinition

  /// The statement that puts the texts of a table's rows into an empty index.
  func fill(_ search: TableDefinition.Search, from table: TableDefinition) -> String

  /// The statements that drop an index, whatever is left of it.
  func drop(_ search: TableDefinition.Search) -> [String]
}

/// The statements that make the parts of an index for searches.
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

/// What a database has of indexes for searches, and all triggers: the statements that made them, by name.
package struct ExistingSearches: Hashable, Sendable {
  /// The indexes of which all is there that they are kept in.
  package var tables: [String: String]
  package var triggers: [String: String]

  package init(tables: [String: String] = [:], triggers: [String: String] = [:]) {
    self.tables = tables
    self.triggers = triggers
  }
}

extension SearchDialect {
  /// The statements that make an index of the texts that are there and of those to come.
  package func create(_ search: TableDefinition.Search, on table: TableDefinition) -> [String] {
    let definition = definition(of: search, on: table)
    return [definition.table, fill(search, from: table)] + definition.triggers.map(\.sql)
  }
}
