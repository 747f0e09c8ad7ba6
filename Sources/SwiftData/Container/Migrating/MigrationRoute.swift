import Foundation

/// How the stores of a container come to its schema by a plan.
struct MigrationRoute {
  let steps: [RouteStep]
  /// By configuration; nil where there is nothing yet, or a store in memory.
  let stores: [UnopenedStore?]
  /// The stores of the entities, by their positions, in a schema on the way.
  private let configurations: [ModelConfiguration]

  private init(steps: [RouteStep], stores: [UnopenedStore?], configurations: [ModelConfiguration]) {
    self.steps = steps
    self.stores = stores
    self.configurations = configurations
  }

  /// Looks at the stores.
  ///
  /// - Parameters:
  ///   - homes: The configuration that is to have each entity of the schema, by their positions.
  ///   - isOnlyRead: Whether nothing will be changed.
  /// - Returns: Nil where the plan has nothing to do with what they need.
  /// - Throws: Why there is no way.
  static func find(
    _ plan: any SchemaMigrationPlan.Type, to schema: Schema, _ configurations: [ModelConfiguration],
    storeAssignment: [Int], isOnlyRead: Bool = false
  ) throws -> MigrationRoute? {
    let stores = try stores(configurations, isOnlyRead: isOnlyRead)
    var isFound = false
    defer { if !isFound { for store in stores { store?.close() } } }
    let look = MigrationRoute(steps: [], stores: stores, configurations: configurations)
    let present = stores.indices.filter { stores[$0] != nil }
    if present.isEmpty || look.has(schema, in: present) { return nil }
    let map = MigrationMap(plan)
    for version in map.equalVersions {
      Log.store.notice("Of one shape, so that no stage runs between them: \(version.name)")
    }
    let unknown = UnknownVersion(map: map, stores: stores.compactMap(\.self))
    guard
      let steps = try steps(map, to: schema, finding: { look.has($0, in: present) }, look.additions, or: unknown)
    else { return nil }
    let route = MigrationRoute(steps: steps, stores: stores, configurations: configurations)
    if isOnlyRead {
      isFound = true
      return route
    }
    guard try route.canWrite(schema, present) else { return nil }
    try route.checkStoreAssignment(in: schema, storeAssignment)
    isFound = true
    return route
  }

  /// Looks at all stores in one state: not at some before and at others after somebody has changed all of them.
  private static func stores(_ configurations: [ModelConfiguration], isOnlyRead: Bool) throws -> [UnopenedStore?] {
    while true {
      let stores = try configurations.map { try UnopenedStore($0, isOnlyRead: isOnlyRead) }
      if isOnlyRead { return stores }
      let isOneState =
        try !CommitRecovery.isNeeded(configurations)
        && (stores.count == 1 || stores.allSatisfy { try $0?.isCurrent() ?? true })
      if isOneState { return stores }
      for store in stores { store?.close() }
      try CommitRecovery.run(configurations)
    }
  }

  /// Whether all stores may be written to that have to be.
  ///
  /// - Returns: False where whoever opens them refuses, or reads as they are, what may only be read.
  /// - Throws: `SwiftDataError` when code would not run that others need.
  private func canWrite(_ schema: Schema, _ present: [Int]) throws -> Bool {
    let positions = positions(in: schema)
    let outdated = present.filter { index in
      !configurations[index].allowsSave && schema.part(positions[index]).versionHash != stores[index]?.schemaHash
    }
    guard let first = outdated.first else { return true }
    guard steps.contains(where: { $0.stage?.code != nil }) else { return false }
    throw SwiftDataError.loadIssueModelContainer.with(
      message:
        "The store \(configurations[first].name) may only be read, and a stage with code would have to change it.",
      hint: "Open the stores once with allowsSave: true.")
  }

  /// Refuses to leave models behind that the configurations give to another store than the one that has them.
  ///
  /// - Parameter homes: The configuration that is to have each entity of the schema, by their positions.
  private func checkStoreAssignment(in schema: Schema, _ storeAssignment: [Int]) throws {
    let issues = positions(in: schema).enumerated().flatMap { configuration, entities in
      entities.filter { storeAssignment[$0] != configuration }.map { entity in
        SwiftDataError.Issue(
          entity: schema.entities[entity].name,
          message: """
            The store \(configurations[configuration].name) has its models, and the configuration \
            \(configurations[storeAssignment[entity]].name) is to have them.
            """)
      }
    }
    if issues.isEmpty { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "A migration moves no models from one store to another.",
      hint: "Leave the models in the configuration that had them. No store was changed.", issues: issues)
  }

  /// The way without a plan, for who only reads the stores.
  static func direct(to schema: Schema, _ configurations: [ModelConfiguration]) throws -> MigrationRoute {
    let step = RouteStep(
      stage: nil, from: schema, to: schema, names: ("what the store has", "version \(schema.version)"), loss: .nothing)
    return MigrationRoute(
      steps: [step], stores: try configurations.map { try UnopenedStore($0, isOnlyRead: true) },
      configurations: configurations)
  }

  func close() {
    for store in stores { store?.close() }
  }

  /// The positions of the stores that change, in the order of their paths. They are locked in that order, by programs as
  /// well that list them in another one: these would wait for each other.
  var revised: [Int] {
    stores.indices.filter { stores[$0] != nil && configurations[$0].allowsSave }
      .map { (path: configurations[$0].url.withoutLinks.path, position: $0) }.sorted { $0 < $1 }.map(\.position)
  }

  /// Copies the stores of configurations that ask for it.
  ///
  /// - Returns: What removes the copies again.
  func backUp() throws -> () -> Void {
    var removals: [() -> Void] = []
    do {
      for (store, configuration) in zip(stores, configurations) {
        guard let store, configuration.allowsSave, let folder = configuration.options.migrationBackupFolder else {
          continue
        }
        removals.append(try store.backUp(into: folder))
      }
    } catch {
      for remove in removals { remove() }
      throw error
    }
    return { [removals] in for remove in removals { remove() } }
  }

  /// Whether something runs between the changes of tables, or several stores have to change together. Where a backup is
  /// asked for, it is known only of copies whether it has to stay.
  var needsCopies: Bool {
    steps.contains { $0.stage?.code != nil } || revised.count > 1
      || revised.contains { configurations[$0].options.migrationBackupFolder != nil }
  }

  /// The same way for a store whose tables change without anything between.
  func storeRoute(_ configuration: Int) -> StoreRoute {
    guard let last = steps.last, let store = stores[configuration] else { return .direct }
    return StoreRoute(
      origin: store.schemaHash,
      stops: steps.dropLast().map { step in
        StoreRoute.Stop(schema: step.to, entities: positions(in: step.to)[configuration], loss: step.loss)
      }, loss: last.loss)
  }

  /// The entities of each configuration's store, as positions in a schema on the way. What lies in a store is looked for
  /// there: the configurations name the models of the last schema.
  func positions(in schema: Schema) -> [[Int]] {
    let owners = schema.entities.map { entity -> Int in
      let name = entity.rootEntity.name
      func home(of name: String) -> Int? {
        configurations.indices.first { stores[$0]?.entityNames.contains(name) == true }
          ?? configurations.firstIndex { $0.schema?.entitiesByName[name] != nil }
      }
      return home(of: name)
        // What only a version on the way has lies where what it leads to lies.
        ?? entity.relationships.map(\.destination).sorted().lazy.compactMap(home).first
        ?? configurations.firstIndex { $0.schema == nil } ?? 0
    }
    return configurations.indices.map { configuration in owners.indices.filter { owners[$0] == configuration } }
  }

  private func has(_ schema: Schema, in present: [Int]) -> Bool {
    let positions = positions(in: schema)
    return present.allSatisfy { schema.part(positions[$0]).versionHash == stores[$0]?.schemaHash }
  }

  /// How much would be added to the stores for a schema; nil where something else would change.
  private func additions(for schema: Schema) -> Int? {
    let positions = positions(in: schema)
    var count = 0
    for (index, store) in stores.enumerated() {
      guard let store else { continue }
      guard let added = store.additions(for: schema, positions[index]) else { return nil }
      count += added
    }
    return count
  }

  // MARK: Finding the way

  /// - Parameters:
  ///   - isFound: Whether the stores have a schema.
  ///   - additions: How much would be added to the stores for a schema; nil where something else would change.
  /// - Returns: Nil where the stores come to the schema without the plan.
  private static func steps(
    _ map: MigrationMap, to schema: Schema, finding isFound: (Schema) -> Bool, _ additions: (Schema) -> Int?,
    or unknown: UnknownVersion
  ) throws -> [RouteStep]? {
    let hash = schema.versionHash
    let target = map.versions.firstIndex { $0.schema.versionHash == hash }
    let found = map.versions.firstIndex { isFound($0.schema) }
    let ends = target.map { [$0] } ?? map.lastVersions
    if let found {
      guard let (path, end) = shortest(map, from: found, to: ends) else {
        return try withoutPath(map, from: found, to: schema, ends)
      }
      return steps(map, path) + rest(map, from: end, to: schema, isNeeded: target == nil)
    }
    guard map.hasCode else { return nil }
    // What was written before the first version of the plan may lack something that each of these has.
    let entries = map.versions.indices.compactMap { index in
      additions(map.versions[index].schema).map { (count: $0, index: index) }
    }
    for entry in entries.sorted(by: { ($0.count, $0.index) < ($1.count, $1.index) }) {
      guard let (path, end) = shortest(map, from: entry.index, to: ends) else { continue }
      let version = map.versions[entry.index]
      let first = RouteStep(
        stage: nil, from: version.schema, to: version.schema, names: ("what the store has", version.name),
        loss: .nothing)
      return [first] + steps(map, path) + rest(map, from: end, to: schema, isNeeded: target == nil)
    }
    throw unknown.error
  }

  private static func shortest(
    _ map: MigrationMap, from start: Int, to ends: [Int]
  ) -> (path: [MigrationMap.Way], end: Int)? {
    ends.compactMap { end in map.path(from: start, to: end).map { (path: $0, end: end) } }
      .min { $0.path.count < $1.path.count }
  }

  private static func steps(_ map: MigrationMap, _ path: [MigrationMap.Way]) -> [RouteStep] {
    path.map { way in
      let (from, to) = (map.versions[way.from], map.versions[way.to])
      // Versions of one shape can have classes of their own, of which a stage names one.
      let types = way.stage?.versions
      return RouteStep(
        stage: way.stage, from: types.map { Schema(versionedSchema: $0.from) } ?? from.schema,
        to: types.map { Schema(versionedSchema: $0.to) } ?? to.schema, names: (from.name, to.name),
        loss: way.stage == nil
          ? .nothing
          : .removedModels(Set(from.schema.entitiesByName.keys).subtracting(to.schema.entitiesByName.keys)))
    }
  }

  /// What a container's schema has beyond the last version of the plan.
  private static func rest(
    _ map: MigrationMap, from end: Int, to schema: Schema, isNeeded: Bool
  ) -> [RouteStep] {
    guard isNeeded else { return [] }
    let version = map.versions[end]
    Log.store.warning(
      """
      The container's schema is no version of \(Schema.qualifiedName(of: map.plan)). What it has beyond \(version.name) \
      is taken up without a stage.
      """)
    return [
      RouteStep(
        stage: nil, from: version.schema, to: schema, names: (version.name, "the container's schema"), loss: .nothing)
    ]
  }

  private static func withoutPath(
    _ map: MigrationMap, from found: Int, to schema: Schema, _ ends: [Int]
  ) throws -> [RouteStep]? {
    let (version, plan) = (map.versions[found], Schema.qualifiedName(of: map.plan))
    if ends.contains(where: { map.path(from: $0, to: found) != nil }) {
      throw SwiftDataError.backwardMigration.with(
        message: """
          The store has \(version.name), to which the stages of \(plan) lead from the container's schema, and not back.
          """,
        hint: """
          Open it with the program that wrote it, or add a stage that leads back: \
          .custom(fromVersion: \(version.typeName).self, toVersion: …, willMigrate: …, didMigrate: nil).
          """)
    }
    guard map.hasCode else { return nil }
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "The store has \(version.name), and no stages of \(plan) lead from there to the container's schema.",
      hint: """
        Add the stages that are missing to \(plan).stages, as \
        .lightweight(fromVersion: \(version.typeName).self, toVersion: …). The store was not changed.
        """)
  }
}
