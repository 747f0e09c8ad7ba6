import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData

/// A store of searchable texts, and the contents of its indexes.
struct SearchStore {
  let folder: TemporaryFolder
  var url: URL { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  func open(
    _ types: any PersistentModel.Type..., allowsSave: Bool = true, folding: FoldingFunction? = nil
  ) throws -> ModelContext {
    let context = try FoldingInterception.$function.withValue(folding) {
      ModelContext(
        try ModelContainer(
          for: Schema(types), configurations: ModelConfiguration(url: url, allowsSave: allowsSave)))
    }
    context.autosaveEnabled = false
    return context
  }

  func execute(_ sql: String) throws {
    try StoreFiles.execute(sql, at: url, foldings: [.current])
  }

  /// The names of indexes and triggers.
  func parts() throws -> [String] {
    try StoreFiles.texts(
      """
      SELECT name FROM sqlite_master
      WHERE name LIKE 'swiftdata_search%' AND (type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%') ORDER BY name
      """, at: url)
  }

  /// Compares an index with one that is made of the present rows.
  func expectIndex(of column: String, in table: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .file(url.path), foldings: [.current]))
    defer { try? database.close() }
    let index = "swiftdata_search_\(table)_\(column)"
    var differences: [String] = []
    try database.withoutTransaction { connection in
      try connection.execute(
        """
        INSERT INTO "\(index)" ("\(index)") VALUES ('integrity-check');
        CREATE VIRTUAL TABLE temp.fresh
          USING fts5(t, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1');
        INSERT INTO temp.fresh (rowid, t) SELECT _id, \(FoldingFunction.current.name)("\(column)") FROM "\(table)"
          WHERE "\(column)" IS NOT NULL;
        CREATE VIRTUAL TABLE temp.kept_terms USING fts5vocab(main, "\(index)", row);
        CREATE VIRTUAL TABLE temp.fresh_terms USING fts5vocab(temp, fresh, row);
        """)
      for (one, other) in [("kept_terms", "fresh_terms"), ("fresh_terms", "kept_terms")] {
        try connection.forEachRow("SELECT term, doc FROM \(one) EXCEPT SELECT term, doc FROM \(other)") {
          differences.append("\(one): \($0.text(0)) \($0.integer(1))")
        }
      }
    }
    #expect(differences.isEmpty, sourceLocation: sourceLocation)
  }
}

extension ModelContext {
  /// The search indexes that a fetch uses.
  func searchIndexes<Model: PersistentModel>(_ predicate: Predicate<Model>) throws -> [String] {
    try explain(FetchDescriptor(predicate: predicate)).steps.compactMap(\.index).filter {
      $0.hasPrefix("swiftdata_search")
    }
  }
}
