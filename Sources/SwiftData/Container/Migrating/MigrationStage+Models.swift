import Foundation

extension MigrationStage {
  /// A step whose code sees the models of both versions at once. An addition of OpenSwiftData.
  ///
  /// The tables have changed by then, as in `didMigrate` of a `custom` stage. The first context reads what the older
  /// version had; its saves throw. The second one reads and writes what the newer version has, and has to be saved. A row
  /// has one identifier in both: `new.model(for: oldTrip.persistentModelID) as? SchemaV2.Trip`.
  ///
  /// - Parameter migrate: Called with the contexts of the older and of the newer version. Models stay in the closure.
  public static func custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    migrate: @escaping @Sendable (_ old: ModelContext, _ new: ModelContext) throws -> Void
  ) -> MigrationStage {
    .custom(fromVersion: fromVersion, toVersion: toVersion, willMigrate: nil) { new in
      try migrate(previous(new), new)
    }
  }

  /// A step that goes through all models of a kind, each as it was and as it is now. An addition of OpenSwiftData.
  ///
  /// For splitting, merging and computing values of many rows: models are read, handed over and saved a batch at a time, so
  /// that memory does not grow with their number. Models of the older version that have no successor because their class is
  /// gone are left out, and so are those of subclasses, and those that `transform` has deleted.
  ///
  /// ```swift
  /// .custom(
  ///   fromVersion: SchemaV1.self, toVersion: SchemaV2.self, mapping: SchemaV1.Person.self, to: SchemaV2.Person.self
  /// ) { old, new in
  ///   let words = old.name.split(separator: " ", maxSplits: 1)
  ///   new.firstName = String(words.first ?? "")
  ///   new.lastName = String(words.dropFirst().first ?? "")
  /// }
  /// ```
  ///
  /// A `Progress` of the thread counts the models, and is asked after each batch whether it was cancelled.
  ///
  /// - Parameters:
  ///   - old: The class of the older version.
  ///   - new: The class of the newer version, of the same simple name.
  ///   - batchSize: How many models are in memory at a time; at least one.
  ///   - transform: Changes the second model. It may insert and delete others by its `modelContext`. What it changes is
  ///     saved after each batch.
  public static func custom<Old: PersistentModel, New: PersistentModel>(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, mapping old: Old.Type, to new: New.Type,
    batchSize: Int = 1000, transform: @escaping @Sendable (_ old: Old, _ new: New) throws -> Void
  ) -> MigrationStage {
    .custom(fromVersion: fromVersion, toVersion: toVersion) { previous, context in
      try ModelMapping<Old, New>(previous, context, batchSize: batchSize, transform).run()
    }
  }

  /// A step that runs statements when the tables are those of the newer version. An addition of OpenSwiftData.
  ///
  /// For those who know the tables: see <doc:LookingAtSQL>. The values of removed properties are in tables of their own by
  /// then, see <doc:ChangingModels>. All statements run in one transaction, without the checks that a save makes, and no
  /// history tells of them.
  ///
  /// - Parameters:
  ///   - configuration: The name of the configuration of whose store they are; nil for the first one.
  ///   - statements: Without parameters.
  public static func custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, configuration: String? = nil,
    sql statements: [String]
  ) -> MigrationStage {
    .custom(fromVersion: fromVersion, toVersion: toVersion, willMigrate: nil) { new in
      let stores = new.container.core.stores
      guard let store = configuration.map({ name in stores.first { $0.name == name } }) ?? stores.first else {
        throw SwiftDataError.loadIssueModelContainer.with(
          message: "No configuration is called \"\(configuration ?? "")\", as a stage with SQL asks for.",
          hint: "Name one of the container's configurations.")
      }
      try store.execute(statements)
    }
  }

  private static func previous(_ context: ModelContext) throws -> ModelContext {
    guard let previous = context.container.core.previous else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "A stage with code was run by hand.", hint: "Give the plan to a ModelContainer.")
    }
    return previous
  }
}

/// Hands over the models of two versions, a batch at a time.
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
    self.batchSize = max(batchSize, 1)
    self.transform = transform
  }

  func run() throws {
    let (old, new) = (Schema.simpleName(of: Old.self), Schema.simpleName(of: New.self))
    guard old == new else {
      throw SwiftDataError.loadIssueModelContainer.with(
        entity: new, message: "\(old) and \(new) are different models, and a row is of one.",
        hint: "Map classes of one simple name, or insert models of the other one in a custom stage.")
    }
    // A total of nothing would never be reached.
    let progress = Progress(totalUnitCount: max(Int64(try previous.fetchCount(FetchDescriptor<Old>())), 1))
    let (olds, news) = (try previous.savedPages(of: Old.self), try context.savedPages(of: New.self))
    var page = FetchRestriction.KeyPage(after: 0, through: olds.lastKey, offset: 0, limit: batchSize)
    while true {
      let batch = try olds.models(in: page)
      guard let end = batch.last?._$withState({ $0.key }) else { break }
      // All that the newer version has between the same keys: a row keeps its key.
      let successors = try news.models(in: .init(after: page.after, through: end, offset: 0, limit: .max))
      try hand(batch, successors)
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
  private func hand(_ batch: [Old], _ successors: [New]) throws {
    // As plain references, none of which is counted: to read an array takes long where the type is not known at compile
    // time. The arrays hold the models.
    let olds = unsafeBitCast(batch, to: [Unmanaged<AnyObject>].self)
    let news = unsafeBitCast(successors, to: [Unmanaged<AnyObject>].self)
    var next = 0
    for old in olds {
      try old._withUnsafeGuaranteedRef { object in
        let model = unsafeDowncast(object, to: Old.self)
        let key = model._$withState { $0.key }
        while next < news.count, self.key(of: news[next]) < key { next += 1 }
        // In another table, the same key may be that of another model.
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
          // What was called before may have deleted it.
          if successor.isStillThere { try transform(model, successor) }
        }
      }
    }
  }

  private func key(of successor: Unmanaged<AnyObject>) -> Int64 {
    successor._withUnsafeGuaranteedRef { unsafeDowncast($0, to: New.self)._$withState { $0.key } }
  }

  /// Refuses to leave models out that are there, under other keys.
  private func checkKeys() throws {
    let name = Schema.simpleName(of: New.self)
    let (root, present) = (rootName(of: name, previous), rootName(of: name, context))
    if root == present { return }
    throw SwiftDataError.loadIssueModelContainer.with(
      entity: name,
      message: """
        Its models came from the table of \(root) to that of \(present), and have other identifiers there, so that none \
        is found by that of before.
        """,
      hint: "Find them by their values, in a stage whose closure gets both contexts.")
  }

  private func rootName(of entity: String, _ context: ModelContext) -> String {
    context.container.schema.entitiesByName[entity]?.rootEntity.name ?? entity
  }
}

extension PersistentModel {
  /// Whether a model of a store is there, and nobody has deleted it, be that saved or not.
  var isStillThere: Bool { _$withState { $0.status == .persistent } }
}
