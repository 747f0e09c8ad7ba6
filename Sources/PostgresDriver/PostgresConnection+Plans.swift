import Foundation
package import Relational

extension PostgresConnection {
  package func steps(of query: RenderedStatement) throws -> [QueryStep] {
    var plan = ""
    try forEachRow("EXPLAIN (FORMAT JSON) \(query.sql)", query.parameters) { plan += $0.text(0) }
    let nodes = try JSONDecoder().decode([Explanation].self, from: Data(plan.utf8))
    return nodes.flatMap { $0.plan.steps(depth: 0) }
  }
}

private struct Explanation: Decodable {
  var plan: PlanNode

  enum CodingKeys: String, CodingKey {
    case plan = "Plan"
  }
}

private struct PlanNode: Decodable {
  var type: String
  var strategy: String?
  var relation: String?
  var index: String?
  var condition: String?
  var children: [PlanNode]?

  enum CodingKeys: String, CodingKey {
    case type = "Node Type"
    case strategy = "Strategy"
    case relation = "Relation Name"
    case index = "Index Name"
    case condition = "Index Cond"
    case children = "Plans"
  }

  func steps(depth: Int) -> [QueryStep] {
    let using = index.map { " using \($0)" } ?? ""
    let on = relation.map { " on \($0)" } ?? ""
    let step = QueryStep(kind, depth: depth, text: type + using + on, index: index)
    return [step] + (children ?? []).flatMap { $0.steps(depth: depth + 1) }
  }

  private var kind: QueryStep.Kind {
    switch type {
    case "Seq Scan", "Sample Scan": .scan
    // Without a condition the whole index is read, for its order.
    case "Index Scan", "Index Only Scan": condition == nil ? .scan : .search
    case "Bitmap Index Scan", "Bitmap Heap Scan", "Tid Scan", "Tid Range Scan": .search
    case "Sort", "Incremental Sort", "Unique": .sort
    case "Aggregate": strategy == "Hashed" ? .sort : .other
    default: .other
    }
  }
}
