package import Relational

extension SQLiteConnection {
  package func steps(of query: RenderedStatement) throws -> [QueryStep] {
    var steps: [QueryStep] = []
    var depths: [Int64: Int] = [:]
    try forEachRow("EXPLAIN QUERY PLAN \(query.sql)", query.parameters) { row in
      let depth = depths[row.integer(1)].map { $0 + 1 } ?? 0
      depths[row.integer(0)] = depth
      steps.append(QueryStep(row.text(3), depth: depth))
    }
    return steps
  }
}

extension QueryStep {
  /// A step, parsed from a line of EXPLAIN QUERY PLAN. A scan of a list of values counts as `other`.
  fileprivate init(_ text: String, depth: Int) {
    if let index = Self.searchedIndex(text) {
      self.init(.search, depth: depth, text: text, index: index)
      return
    }
    let isVirtual = text.contains(" VIRTUAL TABLE ")
    let kind: Kind =
      if text.hasPrefix("SEARCH "), !isVirtual {
        .search
      } else if text.hasPrefix("SCAN "), !isVirtual, !Self.derived.contains(where: { text.hasPrefix("SCAN \($0)") }) {
        .scan
      } else if text.hasPrefix("USE TEMP B-TREE") {
        .sort
      } else {
        .other
      }
    let marks = [" USING COVERING INDEX ", " USING INDEX "]
    let index = marks.lazy.compactMap { text.range(of: $0) }.first.map { mark in
      let rest = text[mark.upperBound...]
      return String(rest.range(of: " (").map { rest[..<$0.lowerBound] } ?? rest)
    }
    self.init(kind, depth: depth, text: text, index: index)
  }

  /// The FTS5 index of a lookup: FTS5 marks one with an M.
  private static func searchedIndex(_ text: String) -> String? {
    guard text.hasPrefix("SCAN "), let mark = text.range(of: " VIRTUAL TABLE INDEX "),
      text[mark.upperBound...].contains(":M")
    else { return nil }
    return String(text[..<mark.lowerBound].dropFirst("SCAN ".count))
  }

  private static var derived: [String] { ["CONSTANT ROW", "SUBQUERY", "("] }
}
