import FoundationSupplements
import Relational

/// The existing search indexes of a store.
struct SearchIndexes: Sendable {
  /// The indexes by table and column.
  private var searches: [String: [String: TableDefinition.Search]] = [:]

  static let none = SearchIndexes([])

  /// - Parameter tables: The tables with their existing indexes.
  init(_ tables: [TableDefinition]) {
    for table in tables {
      guard let list = table.searches, !list.isEmpty else { continue }
      searches[table.name] = Dictionary(list.map { ($0.column, $0) }) { first, _ in first }
    }
  }

  func search(of column: String, in table: String) -> TableDefinition.Search? {
    searches.isEmpty ? nil : searches[table]?[column]
  }
}

extension TableDefinition.Search {
  /// Whether a text is long enough for the index.
  static func canFind(_ text: String) -> Bool {
    // In ASCII, each scalar folds to one: see `InterchangeableValue`.
    if text.utf8.allSatisfy({ $0 > 0 && $0 < 0x80 }) { return text.utf8.count >= shortestPart }
    return FoldedText.folded(text).unicodeScalars.prefix(shortestPart).count == shortestPart
  }
}
