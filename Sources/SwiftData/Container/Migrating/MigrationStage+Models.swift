import Foundation

extension MigrationStage {
  /// A step whose code uses the models of both versions at once. An addition of OpenSwiftData.
  ///
  /// ```swift
  /// .useBothVersions(fromVersion: SchemaV1.self, toVersion: SchemaV2.self) { old, new in
  ///   for contact in try old.fetch(FetchDescriptor<SchemaV1.Contact>()) {
  ///     new.insert(SchemaV2.Person(name: contact.name))
  ///   }
  ///   try new.save()
  /// }
  /// ```
  ///
  /// The code runs after the tables have changed, as `didMigrate` of a `custom` stage does. A row has one identifier in both
  /// versions: `new.model(for: oldTrip.persistentModelID) as? SchemaV2.Trip`. Changes that the code does not save are lost.
  ///
  /// - Parameters:
  ///   - fromVersion: The older version.
  ///   - toVersion: The newer version.
  ///   - migrate: The code. Its first context reads the models as they were before the step, and its saves throw. The
  ///     second one reads and writes the models of the newer version. Do not use models outside of the closure.
  public static func useBothVersions(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    migrate: @escaping @Sendable (_ old: ModelContext, _ new: ModelContext) throws -> Void
  ) -> MigrationStage {
    .custom(fromVersion: fromVersion, toVersion: toVersion, willMigrate: nil) { new in
      try migrate(previous(new), new)
    }
  }

  /// A step that gives all models of a class new values, computed from the values before the step. An addition of
  /// OpenSwiftData.
  ///
  /// ```swift
  /// .mapModels(
  ///   fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Person.self, to: SchemaV2.Person.self
  /// ) { old, new in
  ///   let words = old.name.split(separator: " ", maxSplits: 1)
  ///   new.firstName = String(words.first ?? "")
  ///   new.lastName = String(words.dropFirst().first ?? "")
  /// }
  /// ```
  ///
  /// The step reads, transforms and saves the models in batches after the tables have changed, so that memory does not grow
  /// with their number. It leaves out models of the older version whose class the newer one lacks, models of subclasses,
  /// and models that `transform` has deleted.
  ///
  /// A `Progress` of the thread counts the models. After each batch the step checks whether the progress was cancelled.
  ///
  /// - Parameters:
  ///   - fromVersion: The older version.
  ///   - toVersion: The newer version.
  ///   - old: The class of the older version.
  ///   - new: The class of the newer version, of the same simple name.
  ///   - batchSize: The number of models in memory at a time; at least 1. For a smaller number, the migration throws
  ///     ``SwiftDataError/loadIssueModelContainer``, with ``SwiftDataError/invalidFetchDescriptor`` as its underlying error.
  ///   - transform: Changes the second model, which is the first one after the change of the tables. It may insert and
  ///     delete other models in the `modelContext` of the second one. The step saves after each batch.
  public static func mapModels<Old: PersistentModel, New: PersistentModel>(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, of old: Old.Type, to new: New.Type,
    batchSize: Int = 1000, transform: @escaping @Sendable (_ old: Old, _ new: New) throws -> Void
  ) -> MigrationStage {
    .useBothVersions(fromVersion: fromVersion, toVersion: toVersion) { previous, context in
      try ModelMapping<Old, New>(previous, context, batchSize: batchSize, transform).run()
    }
  }

  /// A step that executes SQL statements after the tables have changed. An addition of OpenSwiftData.
  ///
  /// ```swift
  /// .executeSQL(
  ///   fromVersion: SchemaV1.self, toVersion: SchemaV2.self, statements: ["UPDATE Trip SET isLong = length > 10"])
  /// ```
  ///
  /// <doc:StoreLayout> describes the tables, and <doc:LookingAtSQL> shows them. The values of removed properties are in tables
  /// of their own, see <doc:ChangingModels>. All statements run in one transaction, without the checks of a save, and the
  /// history does not record them.
  ///
  /// - Parameters:
  ///   - fromVersion: The older version.
  ///   - toVersion: The newer version.
  ///   - configuration: The name of the configuration of the store; `nil` for the first configuration.
  ///   - statements: The statements, without parameters.
  public static func executeSQL(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, configuration: String? = nil,
    statements: [String]
  ) -> MigrationStage {
    .custom(fromVersion: fromVersion, toVersion: toVersion, willMigrate: nil) { new in
      let stores = new.container.core.stores
      guard let store = configuration.map({ name in stores.first { $0.name == name } }) ?? stores.first else {
        throw SwiftDataError.loadIssueModelContainer.with(
          message: "A stage with SQL names the configuration \"\(configuration ?? "")\", which the container lacks.",
          hint: "Name one of the container's configurations.")
      }
      try store.execute(statements)
    }
  }

  private static func previous(_ context: ModelContext) throws -> ModelContext {
    guard let previous = context.container.core.previous else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The code of a stage runs outside of a migration.", hint: "Give the plan to a ModelContainer.")
    }
    return previous
  }
}

/// Transforms the models of two versions in batches.
private struct ModelMapping<Old: PersistentModel, New: PersistentModel> {
  private let previous: ModelContext
  private let context: ModelContext
  private let batchSize: Int
  private let transform: (Old, New) throws -> Void

  init(
    _ previous: ModelContext, _ context: ModelContext, batchSize: Int, _ transform: @escaping (Old, New) throws -> Void
  ) {
    self.previous = previous
    self.context = context
    self.batchSize = batchSize
    self.transform = transform
  }

  func run() throws {
    let (old, new) = (Schema.simpleName(of: Old.self), Schema.simpleName(of: New.self))
    guard batchSize >= 1 else {
      throw SwiftDataError.invalidFetchDescriptor.with(
        entity: old, message: "batchSize must be at least 1 (was \(batchSize)).")
    }
    guard old == new else {
      throw SwiftDataError.loadIssueModelContainer.with(
        entity: new, message: "\(old) and \(new) are different models, so they have no rows in common.",
        hint: "Map classes of one simple name, or insert models of the other one in a custom stage.")
    }
    // A progress with a total of zero would never finish.
    let progress = Progress(totalUnitCount: max(Int64(try previous.fetchCount(FetchDescriptor<Old>())), 1))
    let (olds, news) = (try previous.savedPages(of: Old.self), try context.savedPages(of: New.self))
    var page = FetchRestriction.KeyPage(after: 0, through: olds.lastKey, offset: 0, limit: batchSize)
    while true {
      let batch = try olds.models(in: page)
      guard let end = batch.last?._$withState({ $0.key }) else { break }
      // The newer models between the same keys, because a row keeps its key.
      let successors = try news.models(in: .init(after: page.after, through: end, offset: 0, limit: .max))
      try apply(batch, successors)
      try context.save()
      progress.completedUnitCount += Int64(batch.count)
      if progress.isCancelled || Task.isCancelled { throw CancellationError() }
      page.after = end
    }
    progress.completedUnitCount = progress.totalUnitCount
  }

  /// - Parameters:
  ///   - batch: In the order of their keys.
  ///   - successors: The same.
  private func apply(_ batch: [Old], _ successors: [New]) throws {
    // Unretained references, because reading an array is slow when its type is not known at compile time. The arrays
    // retain the models.
    let olds = unsafeBitCast(batch, to: [Unmanaged<AnyObject>].self)
    let news = unsafeBitCast(successors, to: [Unmanaged<AnyObject>].self)
    var next = 0
    for old in olds {
      try old._withUnsafeGuaranteedRef { object in
        let model = unsafeDowncast(object, to: Old.self)
        let key = model._$withState { $0.key }
        while next < news.count, self.key(of: news[next]) < key { next += 1 }
        // In another table, another model may have the same key.
        guard next < news.count, self.key(of: news[next]) == key else {
          if type(of: model) == Old.self { try checkKeys() }
          return
        }
        try news[next]._withUnsafeGuaranteedRef { object in
          let successor = unsafeDowncast(object, to: New.self)
          guard type(of: successor) == New.self else {
            if type(of: model) == Old.self { try checkKeys() }
            return
          }
          // An earlier call of the closure may have deleted it.
          if successor.isStillThere { try transform(model, successor) }
        }
      }
    }
  }

  private func key(of successor: Unmanaged<AnyObject>) -> Int64 {
    successor._withUnsafeGuaranteedRef { unsafeDowncast($0, to: New.self)._$withState { $0.key } }
  }

  /// Throws if the models have moved to another table, where they have other keys and cannot be found.
  private func checkKeys() throws {
    let name = Schema.simpleName(of: New.self)
    let (root, present) = (rootName(of: name, previous), rootName(of: name, context))
    if root == present { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      entity: name,
      message: """
        The migration has moved its models from the table of \(root) to that of \(present), which gave them other \
        identifiers, so that mapModels cannot find them.
        """,
      hint: "Find them by their values, in a stage whose closure gets both contexts.")
  }

  private func rootName(of entity: String, _ context: ModelContext) -> String {
    context.container.schema.entitiesByName[entity]?.rootEntity.name ?? entity
  }
}

extension PersistentModel {
  /// Whether a saved model still exists: neither a saved nor an unsaved deletion has removed it.
  var isStillThere: Bool { _$withState { $0.status == .persistent } }
}
