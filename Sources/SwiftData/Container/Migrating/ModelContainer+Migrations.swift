// What a migration would do, before it is done. Additions of OpenSwiftData.

extension ModelContainer {
  /// Finds out what opening stores would do to bring them to a schema, and changes nothing.
  ///
  /// It takes opening the files, counting rows of tables that would be written anew, and looking for values that would be
  /// in the way. Of steps after the first one it tells estimates: see ``MigrationPreview``. A store that may only be read
  /// is looked at as one that may be written to, whatever `allowsSave` says.
  ///
  /// - Parameters:
  ///   - schema: The models of the container.
  ///   - migrationPlan: As for the container.
  ///   - configurations: As for the container; the default store when there are none.
  /// - Throws: ``SwiftDataError`` when the schema has faults, or a store is none that this release knows, or the plan does
  ///   not lead from what a store has to the schema.
  public static func migrationPreview(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws -> MigrationPreview {
    try MigrationOutlook(schema, migrationPlan, configurations).preview()
  }

  /// Runs a whole migration on copies of the stores, with the code of all stages, and throws the copies away.
  ///
  /// The copies lie in the temporary folder of the process, and so do large external values that stages write. Stores are
  /// only read, and others can write to them meanwhile. So a store that may only be read is rehearsed as one that may be
  /// written to, whatever `allowsSave` says. What the code does elsewhere, to files or to variables of its own, is done. A
  /// process that is killed leaves its copies in the temporary folder, and nothing beside the stores.
  ///
  /// - Returns: The steps, with the time that each took.
  /// - Throws: What making the container would throw.
  public static func rehearseMigration(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws -> [MigrationRehearsal] {
    try MigrationOutlook(schema, migrationPlan, configurations).rehearse()
  }

  /// Finds out whether files are what they say of themselves, and what a schema asks for.
  ///
  /// - Returns: What differs, in words; nothing where the tables are those that the file says it has, and a container with
  ///   the schema has nothing to do. Stores that are not there are left out.
  public static func storeDrift(
    for schema: Schema, configurations: ModelConfiguration...
  ) throws -> [SwiftDataError.Issue] {
    try MigrationOutlook(schema, nil, configurations).drift()
  }
}

/// A step of a migration that was run on a copy. An addition of OpenSwiftData.
public struct MigrationRehearsal: Sendable {
  public var kind: MigrationPreview.Kind
  /// The versions before and after the step.
  public var from: String
  public var to: String
  public var duration: Duration
}

/// Looks at stores and at what a plan would do with them.
private struct MigrationOutlook {
  private let schema: Schema
  private let plan: (any SchemaMigrationPlan.Type)?
  private let configurations: [ModelConfiguration]

  init(
    _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?, _ configurations: [ModelConfiguration]
  ) throws {
    try schema.validate()
    self.schema = schema
    self.plan = plan
    // What may only be read is looked at like the rest: nothing is written, and what would be is to be told.
    self.configurations = (configurations.isEmpty ? [ModelConfiguration()] : configurations).map(\.writable)
  }

  private func route() throws -> MigrationRoute {
    try plan.flatMap { try MigrationRoute.find($0, to: schema, configurations, storeAssignment: [], isOnlyRead: true) }
      ?? MigrationRoute.direct(to: schema, configurations)
  }

  func preview() throws -> MigrationPreview {
    let route = try route()
    defer { route.close() }
    var steps: [MigrationPreview.Step] = []
    var hasCode = false
    for step in route.steps {
      steps.append(
        MigrationPreview.Step(
          kind: step.kind, from: step.names.from, to: step.names.to, changes: [:], issues: [],
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
    // Where a schema is only written down anew, nothing has to be done that anybody would notice.
    if steps.allSatisfy({ $0.kind == .inferred && $0.issues.isEmpty && $0.changes.values.allSatisfy(\.isEmpty) }) {
      steps = []
    }
    return MigrationPreview(
      steps: steps, copiedByteCount: route.needsCopies ? route.stores.reduce(0) { $0 + ($1?.byteCount ?? 0) } : 0)
  }

  func rehearse() throws -> [MigrationRehearsal] {
    while true {
      let route = try route()
      defer { route.close() }
      do {
        return try StagedMigration(route, schema, configurations).rehearse()
      } catch is StagedMigration.Outdated {
        continue
      }
    }
  }

  func drift() throws -> [SwiftDataError.Issue] {
    let route = try MigrationRoute.direct(to: schema, configurations)
    defer { route.close() }
    let positions = route.positions(in: schema)
    return try route.stores.enumerated().flatMap { index, store in
      try store?.drift(from: schema, positions[index]) ?? []
    }
  }
}
