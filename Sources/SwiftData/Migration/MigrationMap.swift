/// The versions of a plan as a graph: versions of equal shape are one node, and stages are edges.
struct MigrationMap {
  struct Version {
    /// The types of equal shape, in the order of the plan.
    var types: [any VersionedSchema.Type]
    /// The schema of the first type.
    let schema: Schema

    /// A description: the types with their version numbers.
    var name: String {
      types.map { "\(Schema.qualifiedName(of: $0)) (\($0.versionIdentifier))" }.joined(separator: " = ")
    }

    /// The name of the first type, as source code spells it.
    var typeName: String { Schema.qualifiedName(of: types[0]) }
  }

  /// An edge between the positions of two versions.
  struct Edge {
    let from: Int
    let to: Int
    /// Nil between versions that follow each other in the plan and that no stage connects.
    let stage: MigrationStage?
  }

  let plan: any SchemaMigrationPlan.Type
  /// First the versions of `schemas`, in their order, and then the versions that only stages name.
  private(set) var versions: [Version] = []
  private var edges: [Edge] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  init(_ plan: any SchemaMigrationPlan.Type) {
    self.plan = plan
    let stages = plan.stages
    var byHash: [String: Int] = [:]
    for type in plan.schemas + stages.flatMap({ [$0.versions.from, $0.versions.to] })
    where positions[ObjectIdentifier(type)] == nil {
      let schema = Schema(versionedSchema: type)
      let hash = schema.versionHash
      let position = byHash[hash] ?? versions.count
      byHash[hash] = position
      positions[ObjectIdentifier(type)] = position
      if position == versions.count {
        versions.append(Version(types: [type], schema: schema))
      } else {
        versions[position].types.append(type)
      }
    }
    for stage in stages { addEdge(by: stage) }
    for (first, second) in zip(plan.schemas, plan.schemas.dropFirst()) { addGap(first, second) }
  }

  private mutating func addEdge(by stage: MigrationStage) {
    guard let from = position(of: stage.versions.from), let to = position(of: stage.versions.to), from != to else {
      return
    }
    edges.append(Edge(from: from, to: to, stage: stage))
  }

  private mutating func addGap(_ first: any VersionedSchema.Type, _ second: any VersionedSchema.Type) {
    guard let from = position(of: first), let to = position(of: second), from != to,
      !edges.contains(where: { $0.from == from && $0.to == to || $0.from == to && $0.to == from })
    else { return }
    edges.append(Edge(from: from, to: to, stage: nil))
  }

  func position(of type: any VersionedSchema.Type) -> Int? { positions[ObjectIdentifier(type)] }

  /// Whether a stage has code.
  var hasCode: Bool { edges.contains { $0.stage?.code != nil } }

  /// The shortest path; of several, the one whose stages come first in the plan. When no stages form a path, consecutive
  /// versions of the plan count as connected.
  func path(from: Int, to: Int) -> [Edge]? {
    path(from: from, to: to, edges.filter { $0.stage != nil }) ?? path(from: from, to: to, edges)
  }

  private func path(from: Int, to: Int, _ edges: [Edge]) -> [Edge]? {
    var found: [Int: [Edge]] = [from: []]
    var waiting = [from]
    while let next = waiting.first {
      waiting.removeFirst()
      if next == to { return found[next] }
      for edge in edges where edge.from == next && found[edge.to] == nil {
        found[edge.to] = (found[next] ?? []) + [edge]
        waiting.append(edge.to)
      }
    }
    return nil
  }

  /// The versions without an outgoing edge.
  var lastVersions: [Int] {
    let last = versions.indices.filter { index in !edges.contains { $0.from == index } }
    return last.isEmpty ? plan.schemas.last.flatMap(position).map { [$0] } ?? [] : last
  }

  /// The versions with several types. Stages between types of equal shape do not run.
  var equalVersions: [Version] { versions.filter { $0.types.count > 1 } }
}
