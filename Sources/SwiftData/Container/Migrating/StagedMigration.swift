import Foundation

/// Migrates the stores of a container to its schema by the stages of a plan, in copies that replace the stores when all
/// stages have run.
struct StagedMigration {
  private let route: MigrationRoute
  private let schema: Schema
  private let configurations: [ModelConfiguration]
  private let progress: Progress
  /// Whether the caller observes the progress, which needs counts of rows.
  private let isWatched: Bool

  /// Migrates the stores when that needs code, a backup, or a change of several stores at once.
  ///
  /// - Parameter storeAssignment: The position of the configuration that is to store each entity of the schema.
  /// - Returns: The route that each store still has to take when it is opened.
  static func run(
    _ plan: any SchemaMigrationPlan.Type, to schema: Schema, _ configurations: [ModelConfiguration],
    storeAssignment: [Int]
  ) throws -> [StoreRoute] {
    let direct = configurations.map { _ in StoreRoute.direct }
    while true {
      guard let route = try MigrationRoute.find(plan, to: schema, configurations, storeAssignment: storeAssignment)
      else { return direct }
      defer { route.close() }
      guard route.needsCopies else { return configurations.indices.map(route.storeRoute) }
      let removeBackups = try route.backUp()
      do {
        try StagedMigration(route, schema, configurations).run()
        return direct
      } catch let error as Unfinished {
        Log.store.warning("A migration was interrupted and is finished now: \(error.underlyingError)")
        try CommitRecovery.run(configurations)
      } catch {
        removeBackups()
        guard error is Outdated || error is UnopenedStore.Overtaken else { throw error }
      }
    }
  }

  /// Another process has migrated the stores since the route was found.
  struct Outdated: Error {}

  /// The commit record is written and some of several stores may be replaced, so the others have to be replaced too.
  private struct Unfinished: Error {
    let underlyingError: any Error
  }

  init(_ route: MigrationRoute, _ schema: Schema, _ configurations: [ModelConfiguration]) {
    self.route = route
    self.schema = schema
    self.configurations = configurations
    isWatched = Progress.current() != nil
    // One unit more for the copies.
    progress = Progress(totalUnitCount: Int64(route.steps.count + 1))
  }

  private func run() throws {
    var revised: [RevisedStore] = []
    var digests: [UInt64] = []
    try inCopies { store, body in
      try store.revise { store in
        revised.append(store)
        if isJoint { digests.append(try describingFailures { try ContentDigest.of(file(of: store).url) }) }
        try body(store.copy)
      }
    } _: { copies in
      for step in route.steps {
        try run(step, copies)
        try checkCancellation()
      }
      try finish(copies)
      let record = try markChanged(revised, digests)
      do {
        try revised.takePlace {
          if let record { try describingFailures { try record.write(beside: revised.map(file)) } }
        }
      } catch {
        guard let first = revised.first?.copy.file, CommitRecord.isCommitted(beside: first) else { throw error }
        throw Unfinished(underlyingError: error)
      }
    }
    progress.completedUnitCount = progress.totalUnitCount
  }

  /// Whether several stores change, which have to change together.
  private var isJoint: Bool { route.revised.count > 1 }

  /// Marks the copies as changed, for other containers that have the stores open.
  ///
  /// - Returns: The record by which a recovery finds out which stores have changed; nil when there is only one.
  private func markChanged(_ stores: [RevisedStore], _ digests: [UInt64]) throws -> CommitRecord? {
    // A container that has the older version open would write values that have another meaning in the newer version.
    let hasCode = route.steps.contains { $0.stage?.code != nil }
    guard hasCode || isJoint else { return nil }
    let identifiers = try stores.map { try $0.markChanged(meansOther: hasCode) }
    guard isJoint else { return nil }
    return CommitRecord(
      try zip(stores.map(file), zip(digests, identifiers)).map { copy, content in
        CommitRecord.Member(
          store: copy.store.path, copy: copy.name, digest: content.0, layoutIdentifier: content.1)
      })
  }

  /// The file of a copy, beside which a record of several stores can be.
  private func file(of store: RevisedStore) throws -> WorkingCopy {
    if let file = store.copy.file { return file }
    throw SwiftDataError.loadIssueModelContainer.with(
      message: "A plan cannot migrate several stores together yet when one of them is on a database server.",
      hint: "Keep the models in one store, or migrate without a plan if no stage needs code. No store was changed.")
  }

  /// Runs `body`, which reads or writes files beside the stores, and describes its errors.
  private func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    guard let first = route.revised.first else { return try body() }
    return try RelationalStore.describingFailures(of: configurations[first], body)
  }

  /// Runs all steps on copies that are removed afterwards.
  ///
  /// - Returns: The duration of each step.
  func rehearse() throws -> [Duration] {
    var durations: [Duration] = []
    try inCopies { store, body in
      try store.rehearse(body)
    } _: { copies in
      for step in route.steps {
        durations.append(try ContinuousClock().measure { try run(step, copies) })
        try checkCancellation()
      }
      try finish(copies)
    }
    progress.completedUnitCount = progress.totalUnitCount
    return durations
  }

  /// Opens the result of the last step, as the container will, and checks that it has all tables and columns.
  private func finish(_ copies: [Int: any StoreCopy]) throws {
    try open(schema, copies, loss: .nothing).close()
    for (index, copy) in copies {
      guard let store = try UnopenedStore(copy.moving(configurations[index]), isOnlyRead: true) else { continue }
      defer { store.close() }
      let issues = try store.lackingParts()
      if issues.isEmpty { continue }
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "After the stages of the migration, the store lacks tables or columns of the schema.",
        hint: "Do not change the tables and columns of models with SQL in a stage. The store was not changed.",
        issues: issues)
    }
  }

  private typealias Copying = (UnopenedStore, (any StoreCopy) throws -> Void) throws -> Void

  /// Runs `body` with copies of all stores.
  private func inCopies(_ copying: @escaping Copying, _ body: ([Int: any StoreCopy]) throws -> Void) throws {
    try inCopies(copying, of: route.revised, [:]) { copies in
      try checkCancellation()
      try body(copies)
    }
  }

  private func inCopies(
    _ copying: @escaping Copying, of remaining: [Int], _ copies: [Int: any StoreCopy],
    _ body: ([Int: any StoreCopy]) throws -> Void
  ) throws {
    guard let index = remaining.first, let store = route.stores[index] else { return try body(copies) }
    try copying(store) { copy in
      let found = try UnopenedStore(copy.moving(configurations[index]))
      // No connection to the copy may be open when it replaces the store.
      found?.close()
      guard found?.schemaHash == store.schemaHash else { throw Outdated() }
      var copies = copies
      copies[index] = copy
      try inCopies(copying, of: Array(remaining.dropFirst()), copies, body)
    }
  }

  /// Runs `body`, which counts as one unit of a step. A change of tables, or code with its own progress, subdivides it.
  private func counting<Result>(_ step: Progress, _ body: () throws -> Result) rethrows -> Result {
    guard isWatched else { return try body() }
    step.becomeCurrent(withPendingUnitCount: 1)
    defer { step.resignCurrent() }
    return try body()
  }

  private func checkCancellation() throws {
    if progress.isCancelled || Task.isCancelled { throw CancellationError() }
  }

  // MARK: Steps

  private func run(_ step: RouteStep, _ copies: [Int: any StoreCopy]) throws {
    let closures = step.stage?.code
    let partCount = [closures?.willMigrate, closures?.didMigrate].count(where: { $0 != nil }) + 1
    let parts = Progress(totalUnitCount: Int64(partCount), parent: progress, pendingUnitCount: 1)
    guard let code = closures else {
      return try counting(parts) { try changeTables(step, copies).close() }
    }
    // After the older container is closed.
    defer { for copy in copies.values { copy.removeFormer() } }
    let old = ModelContainer(core: try describingFailures(of: step) { try open(step.from, copies, loss: .nothing) })
    defer { close(old) }
    let oldContext = ModelContext(old)
    if let willMigrate = code.willMigrate {
      try counting(parts) { try run(willMigrate, "willMigrate", step, oldContext) }
    }
    // Old models that the code retains continue to read the old state.
    try describingFailures { for copy in copies.values { try copy.advance() } }
    try old.core.readingOneState {
      let new = ModelContainer(core: try counting(parts) { try changeTables(step, copies) })
      defer { close(new) }
      new.core.previous = oldContext
      defer { new.core.previous = nil }
      if let didMigrate = code.didMigrate {
        try counting(parts) { try run(didMigrate, "didMigrate", step, ModelContext(new)) }
      }
    }
  }

  private func changeTables(_ step: RouteStep, _ copies: [Int: any StoreCopy]) throws -> ContainerCore {
    try describingFailures(of: step) { try open(step.to, copies, loss: step.loss) }
  }

  private func run(_ code: MigrationStage.Code, _ name: String, _ step: RouteStep, _ context: ModelContext) throws {
    do {
      try code(context)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "\(name) of the stage \(step.description) has failed.", hint: "The store was not changed.",
        underlying: error)
    }
    let counts = [
      ("inserted", context.insertedModelsArray.count), ("changed", context.changedModelsArray.count),
      ("deleted", context.deletedModelsArray.count),
    ].filter { $0.1 > 0 }
    if counts.isEmpty { return }
    Log.store.warning(
      """
      \(name) of the stage \(step.description) has not saved: \
      \(counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")). Changes that a stage does not save are lost.
      """)
  }

  private func describingFailures<Result>(of step: RouteStep, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SwiftDataError {
      var details = error.details ?? .init()
      let message = details.message ?? "The tables cannot be changed."
      details.message = "\(message) The migration step \(step.description) failed."
      throw error.with(details)
    }
  }

  // MARK: Containers of the steps

  private func open(
    _ schema: Schema, _ copies: [Int: any StoreCopy], loss: StoreRoute.Loss
  ) throws -> ContainerCore {
    let positions = route.positions(in: schema)
    let configurations = self.configurations.enumerated().map { index, configuration in
      let part: Schema? = self.configurations.count == 1 ? nil : schema.part(positions[index])
      if copies[index] != nil { return configuration.with(part) }
      // The store is read-only, so the steps do not change it.
      if route.stores[index] != nil { return configuration.with(part).onlyRead }
      // There is no file yet. The container creates it with the last schema.
      return ModelConfiguration(configuration.name, schema: part, isStoredInMemoryOnly: true)
    }
    return try ContainerCore(
      schema: schema, configurations: configurations,
      routes: configurations.map { _ in StoreRoute(loss: loss) }, copies: copies)
  }

  private func close(_ container: ModelContainer) {
    do {
      try container.core.close()
    } catch {
      Log.store.warning("A store that a migration stage opened is still in use: \(error)")
    }
  }
}

extension ContainerCore {
  /// Runs `body`, during which this thread reads the state that is committed now.
  fileprivate func readingOneState(_ body: () throws -> Void) throws {
    func read(_ remaining: ArraySlice<any Store>) throws {
      guard let store = remaining.first else { return try body() }
      try store.readingOneState { try read(remaining.dropFirst()) }
    }
    try read(stores[...])
  }
}

extension ModelConfiguration {
  fileprivate func with(_ schema: Schema?) -> ModelConfiguration {
    var configuration = self
    configuration.schema = schema
    return configuration
  }
}
