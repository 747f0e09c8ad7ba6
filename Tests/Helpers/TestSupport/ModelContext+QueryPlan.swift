import Foundation
import Relational
import Testing

@testable import SwiftData

extension ModelContext {
  /// SQLite's query plan for the rows that a descriptor selects.
  func queryPlan<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [String] {
    let store = try #require(graph.requireBinding(for: Model.self).session as? RelationalSession).store
    let query = try RelationalQuery(descriptor, store, for: .rows)
    let select = query.select(store.layout.projection(of: query.layout).columns, FetchRestriction())
    let rendered = store.database.dialect.render(select)
    var plan: [String] = []
    try store.read { connection in
      try connection.forEachRow("EXPLAIN QUERY PLAN " + rendered.sql, rendered.parameters) { plan.append($0.text(3)) }
    }
    return plan
  }
}
