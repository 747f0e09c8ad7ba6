package import Relational

extension SQLiteDialect {
  /// SQLite's parser has a stack of 100 entries, of which a nested expression takes at most seven on average. A join takes 64
  /// tables, each of which takes 40 bytes to name. All other limits are larger.
  package func isSmall(_ statement: RenderedStatement) -> Bool {
    statement.depth <= 12 && statement.sql.utf8.count <= 2500
  }
}
