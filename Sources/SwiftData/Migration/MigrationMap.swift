/// The versions of a plan, those of equal shape as one, and the stages that lead from one to another.
struct MigrationMap {
  struct Version {
    /// Those of one shape, as they come in the plan.
    var types: [any VersionedSchema.Type]
    /// That of the first type.
    let schema: Schema

    /// The types with their numbers, for people.
    var name: String {
      types.map { "\(Schema.qualifiedName(of: $0)) (\($0.versionIdentifier))" }.joined(separator: " = ")
    }

    /// The first type, as it is written in source.
    var typeName: String { Schema.qualifiedName(of: types[0]) }
  }

  /// A way from one version to another, by their positions.
  struct Way {
    let from: Int
    let to: Int
    /// Nil between versions that follow each other in the plan and that no stage connects.
    let stage: MigrationStage?
  }

  let plan: any SchemaMigrationPlan.Type
  /// First those of `schemas`, in their order, and then those that stages alone name.
  private(set) var versions: [Version] = []
  private var ways: [Way] = []
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
    for stage in stages { addWay(by: stage) }
    for (first, second) in zip(plan.schemas, plan.schemas.dropFirst()) { addGap(first, second) }
  }

  private mutating func addWay(by stage: MigrationStage) {
    guard let from = position(of: stage.versions.from), let to = position(of: stage.versions.to), from != to else {
      return
    }
    ways.append(Way(from: from, to: to, stage: stage))
  }

  private mutating func addGap(_ first: any VersionedSchema.Type, _ second: any VersionedSchema.Type) {
    guard let from = position(of: first), let to = position(of: second), from != to,
      !ways.contains(where: { $0.from == from && $0.to == to || $0.from == to && $0.to == from })
    else { return }
    ways.append(Way(from: from, to: to, stage: nil))
  }

  func position(of type: any VersionedSchema.Type) -> Int? { positions[ObjectIdentifier(type)] }

  /// Whether a stage has something to run.
  var hasCode: Bool { ways.contains { $0.stage?.code != nil } }

  /// The shortest way, and of those that are as short the one whose stages come first in the plan. Where no stages lead
  /// there, versions that follow each other in the plan are taken for connected.
  func path(from: Int, to: Int) -> [Way]? {
    path(from: from, to: to, ways.filter { $0.stage != nil }) ?? path(from: from, to: to, ways)
  }

  private func path(from: Int, to: Int, _ ways: [Way]) -> [Way]? {
    var found: [Int: [Way]] = [from: []]
    var waiting = [from]
    while let next = waiting.first {
      waiting.removeFirst()
      if next == to { return found[next] }
      for way in ways where way.from == next && found[way.to] == nil {
        found[way.to] = (found[next] ?? []) + [way]
        waiting.append(way.to)
      }
    }
    return nil
  }

  /// The versions from which nothing leads on.
  var lastVersions: [Int] {
    let last = versions.indices.filter { index in !ways.contains { $0.from == index } }
    return last.isEmpty ? plan.schemas.last.flatMap(position).map { [$0] } ?? [] : last
  }

  /// Types of equal shape, of which the stages between them do not run.
  var equalVersions: [Version] { versions.filter { $0.types.count > 1 } }
}
