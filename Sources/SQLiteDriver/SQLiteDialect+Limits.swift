package import Relational

extension SQLiteDialect {
  /// SQLite's parser has room for 100 words that wait for what follows, of which one expression inside another leaves
  /// seven on average at most. A join takes 64 tables, each of which takes 40 bytes to name. All its other limits are
  /// further away.
  package func isSmall(_ statement: RenderedStatement) -> Bool {
    statement.depth <= 12 && statement.sql.utf8.count <= 2500
  }
}
