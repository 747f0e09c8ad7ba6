import Foundation

/// The steps by which a plan migrates the stores of a container to its schema.
struct MigrationRoute {
  let steps: [RouteStep]
  /// By configuration; nil where there is no file yet, and for a store in memory.
  let stores: [UnopenedStore?]
  private let configurations: [ModelConfiguration]

  private init(steps: [RouteStep], stores: [UnopenedStore?], configurations: [ModelConfiguration]) {
    self.steps = steps
    self.stores = stores
    self.configurations = configurations
  }

  /// Reads the schemas of the stores, and finds the steps from them to `schema`.
  ///
  /// - Parameters:
  ///   - storeAssignment: The position of the configuration that is to store each entity of the schema.
  ///   - isOnlyRead: Whether the caller will change nothing.
  /// - Returns: Nil when the stores need no step of the plan.
  /// - Throws: `SwiftDataError` when the plan has no path to the schema.
  static func find(
    _ plan: any SchemaMigrationPlan.Type, to schema: Schema, _ configurations: [ModelConfiguration],
    storeAssignment: [Int], isOnlyRead: Bool = false
  ) throws -> MigrationRoute? {
    let stores = try stores(configurations, isOnlyRead: isOnlyRead)
    var isFound = false
    defer { if !isFound { for store in stores { store?.close() } } }
    let unplanned = MigrationRoute(steps: [], stores: stores, configurations: configurations)
    let present = stores.indices.filter { stores[$0] != nil }
    if present.isEmpty || unplanned.has(schema, in: present) { return nil }
    let map = MigrationMap(plan)
    for version in map.equalVersions {
      Log.store.notice("No stage runs between these versions, which have equal shapes: \(version.name)")
    }
    let unknown = UnknownVersion(map: map, stores: stores.compactMap(\.self))
    guard
      let steps = try steps(
        map, to: schema, finding: { unplanned.has($0, in: present) }, unplanned.additions, or: unknown)
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

  /// Reads all stores in one state, so that no change by another process comes between two of them.
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

  /// Whether every store that has to change may be written to.
  ///
  /// - Returns: False when a read-only store is outdated. Opening it then refuses it, or reads it as it is.
  /// - Throws: `SwiftDataError` when a stage with code would have to change a read-only store.
  private func canWrite(_ schema: Schema, _ present: [Int]) throws -> Bool {
    let positions = positions(in: schema)
    let outdated = present.filter { index in
      !configurations[index].allowsSave && schema.part(positions[index]).versionHash != stores[index]?.schemaHash
    }
    guard let first = outdated.first else { return true }
    guard steps.contains(where: { $0.stage?.code != nil }) else { return false }
    throw SwiftDataError.loadIssueModelContainer.with(
      message:
        "The store \(configurations[first].name) is read-only, and a stage with code has to change it.",
      hint: "Open the stores once with allowsSave: true.")
  }

  /// Refuses configurations that assign an entity to another store than the one that has its rows.
  ///
  /// - Parameter storeAssignment: The position of the configuration that is to store each entity of the schema.
  private func checkStoreAssignment(in schema: Schema, _ storeAssignment: [Int]) throws {
    let issues = positions(in: schema).enumerated().flatMap { configuration, entities in
      entities.filter { storeAssignment[$0] != configuration }.map { entity in
        SwiftDataError.Issue(
          entity: schema.entities[entity].name,
          message: """
            The store \(configurations[configuration].name) has its models, but the schemas of the configurations assign \
            them to \(configurations[storeAssignment[entity]].name).
            """)
      }
    }
    if issues.isEmpty { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "A migration cannot move models from one store to another.",
      hint: "List the models in the configuration whose store has them. No store was changed.", issues: issues)
  }

  /// The route without a plan, for a caller that only reads the stores.
  static func direct(to schema: Schema, _ configurations: [ModelConfiguration]) throws -> MigrationRoute {
    let step = RouteStep(
      stage: nil, from: schema, to: schema, names: ("the recorded schema", "version \(schema.version)"), loss: .nothing)
    return MigrationRoute(
      steps: [step], stores: try configurations.map { try UnopenedStore($0, isOnlyRead: true) },
      configurations: configurations)
  }

  func close() {
    for store in stores { store?.close() }
  }

  /// The positions of the stores that change, in the order of their paths. Every program locks them in that order, in
  /// whichever order it lists them, so that two programs do not deadlock.
  var revised: [Int] {
    stores.indices.filter { stores[$0] != nil && configurations[$0].allowsSave }
      .map { (path: configurations[$0].address, position: $0) }.sorted { $0 < $1 }.map(\.position)
  }

  /// Copies the stores of configurations that ask for it.
  ///
  /// - Returns: A closure that removes the copies.
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

  /// Whether code runs between the changes of tables, several stores have to change together, or a configuration asks for
  /// a backup: only a migration of a copy shows whether the backup has to stay.
  var needsCopies: Bool {
    steps.contains { $0.stage?.code != nil } || revised.count > 1
      || revised.contains { configurations[$0].options.migrationBackupFolder != nil }
  }

  /// The same route for a store whose tables change without code in between.
  func storeRoute(_ configuration: Int) -> StoreRoute {
    guard let last = steps.last, let store = stores[configuration] else { return .direct }
    return StoreRoute(
      origin: store.schemaHash,
      stops: steps.dropLast().map { step in
        StoreRoute.Stop(schema: step.to, entities: positions(in: step.to)[configuration], loss: step.loss)
      }, loss: last.loss)
  }

  /// The entities of each configuration's store, as positions in `schema`, which may be a version in the middle of the
  /// route. The stores' own entities come first, because the configurations list the models of the last schema only.
  func positions(in schema: Schema) -> [[Int]] {
    let owners = schema.entities.map { entity -> Int in
      let name = entity.rootEntity.name
      func owner(of name: String) -> Int? {
        configurations.indices.first { stores[$0]?.entityNames.contains(name) == true }
          ?? configurations.firstIndex { $0.schema?.entitiesByName[name] != nil }
      }
      return owner(of: name)
        // An entity that only a version in the middle has belongs to the store of its relationships' destinations.
        ?? entity.relationships.map(\.destination).sorted().lazy.compactMap(owner).first
        ?? configurations.firstIndex { $0.schema == nil } ?? 0
    }
    return configurations.indices.map { configuration in owners.indices.filter { owners[$0] == configuration } }
  }

  private func has(_ schema: Schema, in present: [Int]) -> Bool {
    let positions = positions(in: schema)
    return present.allSatisfy { schema.part(positions[$0]).versionHash == stores[$0]?.schemaHash }
  }

  /// The number of additions that bring the stores to a schema; nil when they need another change.
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

  // MARK: Finding the path

  /// - Parameters:
  ///   - isFound: Whether the stores have a schema.
  ///   - additions: The number of additions that bring the stores to a schema; nil when they need another change.
  /// - Returns: Nil when the stores come to the schema without the plan.
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
    // A store that is older than the first version of the plan may lack parts that every version has.
    let entries = map.versions.indices.compactMap { index in
      additions(map.versions[index].schema).map { (count: $0, index: index) }
    }
    for entry in entries.sorted(by: { ($0.count, $0.index) < ($1.count, $1.index) }) {
      guard let (path, end) = shortest(map, from: entry.index, to: ends) else { continue }
      let version = map.versions[entry.index]
      let first = RouteStep(
        stage: nil, from: version.schema, to: version.schema, names: ("the recorded schema", version.name),
        loss: .nothing)
      return [first] + steps(map, path) + rest(map, from: end, to: schema, isNeeded: target == nil)
    }
    throw unknown.error
  }

  private static func shortest(
    _ map: MigrationMap, from start: Int, to ends: [Int]
  ) -> (path: [MigrationMap.Edge], end: Int)? {
    ends.compactMap { end in map.path(from: start, to: end).map { (path: $0, end: end) } }
      .min { $0.path.count < $1.path.count }
  }

  private static func steps(_ map: MigrationMap, _ path: [MigrationMap.Edge]) -> [RouteStep] {
    path.map { edge in
      let (from, to) = (map.versions[edge.from], map.versions[edge.to])
      // Versions of equal shape can have different classes, and the stage names one of the versions.
      let types = edge.stage?.versions
      return RouteStep(
        stage: edge.stage, from: types.map { Schema(versionedSchema: $0.from) } ?? from.schema,
        to: types.map { Schema(versionedSchema: $0.to) } ?? to.schema, names: (from.name, to.name),
        loss: edge.stage == nil
          ? .nothing
          : .removedModels(Set(from.schema.entitiesByName.keys).subtracting(to.schema.entitiesByName.keys)))
    }
  }

  /// The step from the last version of the plan to the container's schema.
  private static func rest(
    _ map: MigrationMap, from end: Int, to schema: Schema, isNeeded: Bool
  ) -> [RouteStep] {
    guard isNeeded else { return [] }
    let version = map.versions[end]
    Log.store.warning(
      """
      The container's schema is no version of \(Schema.qualifiedName(of: map.plan)). The changes since \(version.name) \
      are made without a stage.
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
          The store has \(version.name), which is newer than the container's schema by the stages of \(plan).
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
        Add the missing stages to \(plan).stages, as \
        .lightweight(fromVersion: \(version.typeName).self, toVersion: …). The store was not changed.
        """)
  }
}
