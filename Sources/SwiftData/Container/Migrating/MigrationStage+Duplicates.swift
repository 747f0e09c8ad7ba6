import Foundation

extension MigrationStage {
  /// A step that merges models before they have to be unique. An addition of OpenSwiftData.
  ///
  /// ```swift
  /// .mergeDuplicates(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, of: SchemaV1.Tag.self) { kept, duplicate in
  ///   kept.notes += duplicate.notes.filter { !kept.notes.contains($0) }
  ///   kept.count += duplicate.count
  /// }
  /// ```
  ///
  /// The step runs before the tables change, with the models of the older version. Models are duplicates when they have the
  /// same values in the properties of a uniqueness constraint that the class has, or inherits, in the newer version. The step
  /// finds a renamed property by its `originalName`. Strings are compared with Swift's `==`, and `nil` equals no value. Of
  /// models with the same values the step keeps the oldest one.
  ///
  /// The step saves the changes of `merge`, and then deletes the duplicates, in batches of 500. Only `merge` moves references
  /// from a duplicate to the kept model: the delete rules of a duplicate apply to its remaining relationships. When there are
  /// several constraints, or when `merge` changes values so that they repeat, the step continues until no values repeat. It
  /// reads unique values once, and memory does not grow with their number.
  ///
  /// A `Progress` of the thread counts the duplicates. After each batch the step checks whether the progress was cancelled.
  ///
  /// - Parameters:
  ///   - fromVersion: The older version.
  ///   - toVersion: The newer version, with the constraint.
  ///   - old: The class of the older version. Models of its subclasses count as well.
  ///   - merge: The step calls it for each duplicate in the order of their age, with the model that it keeps. A duplicate
  ///     stays when `merge` deletes the kept model. The closure may change, insert and delete other models in the
  ///     `modelContext` of the two.
  public static func mergeDuplicates<Old: PersistentModel>(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, of old: Old.Type,
    by merge: @escaping @Sendable (_ kept: Old, _ duplicate: Old) throws -> Void
  ) -> MigrationStage {
    .custom(
      fromVersion: fromVersion, toVersion: toVersion,
      willMigrate: { context in try DuplicateMerging<Old>(context, toVersion, merge).run() }, didMigrate: nil)
  }
}

/// Merges the models with the same unique values in a later version, in batches.
private struct DuplicateMerging<Model: PersistentModel> {
  private let context: ModelContext
  private let later: any VersionedSchema.Type
  private let closure: (Model, Model) throws -> Void

  /// The number of duplicates in memory at a time.
  private var batchSize: Int { 500 }
  /// The number of rounds after which values must not repeat any more.
  private var roundLimit: Int { 100 }

  init(
    _ context: ModelContext, _ later: any VersionedSchema.Type, _ closure: @escaping (Model, Model) throws -> Void
  ) {
    self.context = context
    self.later = later
    self.closure = closure
  }

  func run() throws {
    let store = try store()
    let uniqueness = try uniqueness(in: store)
    // One unit more, because the end is known only when no values repeat.
    let progress = Progress(totalUnitCount: 1)
    var last: LaterUniqueness.Constraint = []
    for _ in 0..<roundLimit {
      var isDone = true
      for constraint in uniqueness.constraints {
        let pairs = try store.duplicates(uniqueness, constraint)
        if pairs.isEmpty { continue }
        (isDone, last) = (false, constraint)
        progress.totalUnitCount += Int64(pairs.count)
        try merge(pairs, progress)
      }
      if isDone {
        progress.completedUnitCount = progress.totalUnitCount
        return
      }
    }
    throw endless(last, try store.repeatedValues(uniqueness, last))
  }

  private func merge(_ pairs: [LaterUniqueness.Pair], _ progress: Progress) throws {
    for start in stride(from: 0, to: pairs.count, by: batchSize) {
      let batch = pairs[start..<min(start + batchSize, pairs.count)]
      try merge(batch)
      progress.completedUnitCount += Int64(batch.count)
      if progress.isCancelled || Task.isCancelled { throw CancellationError() }
    }
  }

  private func merge(_ batch: ArraySlice<LaterUniqueness.Pair>) throws {
    let identifiers = Set(batch.flatMap { [$0.kept, $0.duplicate] })
    let descriptor = FetchDescriptor<Model>(predicate: #Predicate { identifiers.contains($0.persistentModelID) })
    var models: [PersistentIdentifier: Model] = [:]
    for model in try context.fetch(descriptor) { models[model.persistentModelID] = model }
    var merged: [(kept: Model, duplicate: Model)] = []
    for pair in batch {
      // An earlier call of the closure may have deleted one of them.
      guard let kept = models[pair.kept], let duplicate = models[pair.duplicate], kept.isStillThere,
        duplicate.isStillThere
      else {
        continue
      }
      try closure(kept, duplicate)
      merged.append((kept, duplicate))
    }
    // Delete rules must not apply to models that the closure has moved to the kept model.
    try context.save()
    for (kept, duplicate) in merged where kept.isStillThere { context.delete(duplicate) }
    try context.save()
  }

  // MARK: Constraints

  private var name: String { Schema.simpleName(of: Model.self) }

  private func store() throws -> RelationalStore {
    let core = context.container.core
    guard let position = core.schema.entities.firstIndex(where: { $0.modelType == Model.self }) else {
      throw SwiftDataError.loadIssueModelContainer.with(
        entity: name,
        message: "\(Schema.qualifiedName(of: Model.self)) is not a model of the older version of the stage.",
        hint: "Name the class of the older version, whose models are merged.")
    }
    guard let store = core.stores[core.storeIndices[position]] as? RelationalStore else {
      throw DataStoreError.unsupportedFeature
    }
    return store
  }

  private func uniqueness(in store: RelationalStore) throws -> LaterUniqueness {
    let schema = Schema(versionedSchema: later)
    try schema.validate()
    let version = Schema.qualifiedName(of: later)
    guard let uniqueness = store.uniqueness(of: name, in: schema) else {
      throw SwiftDataError.loadIssueModelContainer.with(
        entity: name, message: "\(version) has no model \(name), and so no uniqueness constraint on it.",
        hint: "Merge models of a class that both versions have.")
    }
    if !uniqueness.constraints.isEmpty { return uniqueness }
    guard let unknown = uniqueness.unknown.first else {
      throw SwiftDataError.loadIssueModelContainer.with(
        entity: name, message: "\(name) has no uniqueness constraint in \(version), so no models are duplicates.",
        hint: "Add @Attribute(.unique) or #Unique to \(version).\(name), or merge in willMigrate of a custom stage.")
    }
    throw SwiftDataError.loadIssueModelContainer.with(
      entity: name,
      message: """
        The uniqueness constraint on \(unknown.joined(separator: " and ")) of \(name) in \(version) has a property that \
        the older version lacks, so duplicates cannot be found.
        """,
      hint: """
        Add the property in one version, give each model a value of its own in a stage with code, and make it unique in \
        the next version.
        """)
  }

  private func endless(_ constraint: LaterUniqueness.Constraint, _ values: String?) -> SwiftDataError {
    let names = constraint.map(\.sourceName)
    return SwiftDataError.loadIssueModelContainer.with(
      entity: name, property: names.count == 1 ? names[0] : nil,
      message: """
        After \(roundLimit) rounds of merging, models of \(name) still have the same \
        \(names.joined(separator: " and "))\(values.map { ": \($0)" } ?? "").
        """,
      hint: "Keep the values unique: the closure must neither insert models nor change values so that they repeat.")
  }
}
