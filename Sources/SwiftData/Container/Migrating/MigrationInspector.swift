/// Examines the migration of stores to a schema, and changes no store.
///
/// An inspector takes the same parameters as a ``ModelContainer``, and no container needs to be open:
///
/// ```swift
/// let inspector = MigrationInspector(
///   for: Schema(versionedSchema: SchemaV2.self), migrationPlan: TripsPlan.self, configurations: configuration)
/// print(try inspector.preview())
/// ```
///
/// The inspector treats each store as writable, whatever ``ModelConfiguration/allowsSave`` says, and leaves out stores that
/// do not exist. Each method reads the stores again. An addition of OpenSwiftData.
public struct MigrationInspector: Sendable {
  private let schema: Schema
  private let plan: (any SchemaMigrationPlan.Type)?
  private let configurations: [ModelConfiguration]

  /// Makes an inspector, and reads no store yet.
  ///
  /// - Parameters:
  ///   - schema: The models of the container.
  ///   - migrationPlan: The plan of the container.
  ///   - configurations: The configurations of the container; that of the default store when there are none.
  public init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
  ) {
    self.schema = schema
    plan = migrationPlan
    self.configurations = (configurations.isEmpty ? [ModelConfiguration()] : configurations).map(\.writable)
  }

  /// Makes an inspector, and reads no store yet.
  ///
  /// - Parameters:
  ///   - schema: The models of the container.
  ///   - migrationPlan: The plan of the container.
  ///   - configurations: The configurations of the container; that of the default store when there are none.
  public init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) {
    self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Makes an inspector for some models and the models related to them, and reads no store yet.
  ///
  /// - Parameters:
  ///   - forTypes: The models of the container.
  ///   - migrationPlan: The plan of the container.
  ///   - configurations: The configurations of the container; that of the default store when there are none.
  public init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) {
    self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Predicts the steps of the migration, without running any.
  ///
  /// A preview opens the files, counts the rows of tables that the migration would copy, and looks for values that
  /// contradict the new version: the time is proportional to the number of these rows.
  ///
  /// - Returns: The steps. The first step is exact, and later steps are estimates: see ``MigrationPreview``.
  /// - Throws: ``SwiftDataError`` when the schema is invalid, when a file is not a store that this release can read, or when
  ///   the plan has no path from a store's version to the schema.
  public func preview() throws -> MigrationPreview {
    try schema.validate()
    let route = try route()
    defer { route.close() }
    let steps = try steps(on: route)
    return MigrationPreview(
      steps: changesNothing(steps) ? [] : steps,
      copiedByteCount: route.needsCopies ? route.stores.reduce(0) { $0 + ($1?.byteCount ?? 0) } : 0)
  }

  /// Runs the whole migration, with the code of all stages, on copies of the stores, and removes the copies.
  ///
  /// The copies, and the external values that stages write, are in the temporary folder of the process. Other contexts and
  /// processes can write to the stores meanwhile. Other effects of the code, on files or variables, are not undone. When
  /// the process is killed, its copies stay in the temporary folder.
  ///
  /// A rehearsal takes the time of a preview and of the migration, and disk space for one copy of each store.
  ///
  /// - Returns: The steps of the preview, with the time that each took; none when the stores have the schema.
  /// - Throws: The errors of ``preview()``, and the errors of making the container. `CancellationError` when the task, or the
  ///   `Progress` of the thread, is cancelled.
  public func rehearse() throws -> [MigrationStep] {
    try schema.validate()
    while true {
      let route = try route()
      defer { route.close() }
      do {
        let steps = try steps(on: route)
        let durations = try StagedMigration(route, schema, configurations).rehearse()
        if changesNothing(steps) { return [] }
        return zip(steps, durations).map { step, duration in
          var step = step
          step.issues = []
          step.duration = duration
          return step
        }
      } catch is StagedMigration.Outdated {
        continue
      }
    }
  }

  /// Compares the tables of each store with the tables that the store has recorded, and its schema with the inspector's.
  ///
  /// The plan has no effect: a store of an older version differs from the schema. The method reads the definitions of the
  /// tables and no rows.
  ///
  /// - Returns: The differences; none when the tables are as recorded, and a container with the schema would change nothing.
  /// - Throws: ``SwiftDataError`` when the schema is invalid, or when a file is not a store that this release can read.
  public func drift() throws -> [SwiftDataError.Issue] {
    try schema.validate()
    let route = try MigrationRoute.direct(to: schema, configurations)
    defer { route.close() }
    let positions = route.positions(in: schema)
    return try route.stores.enumerated().flatMap { index, store in
      try store?.drift(from: schema, positions[index]) ?? []
    }
  }

  private func route() throws -> MigrationRoute {
    try plan.flatMap { try MigrationRoute.find($0, to: schema, configurations, storeAssignment: [], isOnlyRead: true) }
      ?? MigrationRoute.direct(to: schema, configurations)
  }

  /// Whether the steps only rewrite the recorded schema. Such steps are not reported.
  private func changesNothing(_ steps: [MigrationStep]) -> Bool {
    steps.allSatisfy { $0.kind == .inferred && $0.issues.isEmpty && $0.changes.values.allSatisfy(\.isEmpty) }
  }

  private func steps(on route: MigrationRoute) throws -> [MigrationStep] {
    var steps: [MigrationStep] = []
    var hasCode = false
    for step in route.steps {
      steps.append(
        MigrationStep(
          kind: step.kind, fromVersion: step.names.from, toVersion: step.names.to, changes: [:], issues: [],
          followsCode: hasCode || step.stage?.code?.willMigrate != nil))
      hasCode = hasCode || step.stage?.code != nil
    }
    for (index, store) in route.stores.enumerated() {
      guard let store else { continue }
      let stops = route.steps.map { step in
        StoreRoute.Stop(schema: step.to, entities: route.positions(in: step.to)[index], loss: step.loss)
      }
      for (step, found) in zip(steps.indices, try store.preview(stops)) {
        steps[step].changes[configurations[index].name] = found.changes
        steps[step].issues += found.issues
      }
    }
    return steps
  }
}
