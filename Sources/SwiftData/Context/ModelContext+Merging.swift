extension ModelContext {
  /// The resolution of conflicts between a save and the saved changes of other contexts or processes.
  ///
  /// The default is ``MergePolicy/lastWriterWins``: the save writes each property that the context has changed, whatever
  /// others have saved in the meantime, and compares nothing. With any other policy, ``save()`` first takes the write lock of
  /// its SQLite stores, merges what others have saved so far, and compares the stored values of the properties that it is
  /// about to write with the values that they had when the context changed them. This costs the lock and, when others have
  /// written, a read of the rows that the save is about to write. A custom store has no lock: there, the save detects
  /// conflicts only with contexts of the same container.
  ///
  /// Set the policy before the first change, because it also decides what happens to a model when the context merges its
  /// deletion by another context. See <doc:WorkingWithSeveralContexts> for the effects of each policy. An addition of
  /// OpenSwiftData.
  public var mergePolicy: MergePolicy {
    get { graph.mergePolicy }
    set { graph.mergePolicy = newValue }
  }

  /// Resolves conflicts that a save has found, so that the next save can succeed.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .mergeConflict {
  ///   let conflicts = error.details?.conflicts ?? []
  ///   // Examine the conflicts, and set the values to save.
  ///   try context.resolve(conflicts, keeping: .context)
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - conflicts: The conflicts that ``SwiftDataError/mergeConflict`` lists. Resolved conflicts are ignored.
  ///   - side: The side to keep. With ``MergeConflict/Side/context``, the next save writes the values that the context has
  ///     then. With ``MergeConflict/Side/store``, properties get their stored values, models that others have deleted
  ///     leave the context, and deletions of models that others have changed are undone.
  /// - Throws: An error of the store, when the stored values cannot be read.
  public func resolve(_ conflicts: [MergeConflict], keeping side: MergeConflict.Side) throws {
    try graph.exclusively {
      try graph.withoutUndo { try ConflictResolution(graph: graph).resolve(conflicts, keeping: side) }
    }
  }

  /// Reads the row and the relationships of a model again.
  ///
  /// A context merges the saves of others by itself, so this is rarely needed: for a store that other processes write to
  /// without a history, or to be sure of one model. A model that others have deleted leaves the context. The method reads
  /// nothing for a model that is pending or deleted, or that belongs to another context.
  ///
  /// - Parameters:
  ///   - model: A model of this context.
  ///   - mergesChanges: Whether to keep the unsaved changes of the model. When false, they are discarded, also on the other
  ///     sides of changed relationships.
  /// - Throws: An error of the store. Values that were not read by then are unchanged.
  public func refresh(_ model: some PersistentModel, mergesChanges: Bool = true) throws {
    try graph.exclusively { try graph.withoutUndo { try graph.refresh(model, keepsChanges: mergesChanges) } }
  }

  /// The properties of a model with unsaved changes, in the order of their declaration.
  ///
  /// For a pending model, these are all persisted properties. A property that was set to the value that it already had is
  /// one of them. The key path of an inherited property has the class that declares it as its root. An addition of
  /// OpenSwiftData.
  ///
  /// - Parameter model: A model of this context.
  /// - Returns: The key paths; none for a model that is deleted, or that belongs to another context or to none.
  public func changedProperties<T: PersistentModel>(of model: T) -> [PartialKeyPath<T>] {
    let runtime = ModelRuntime.of(model)
    let (status, isOwn, changes) = model._$withState { ($0.status, $0.belongs(to: graph), $0.changes) }
    guard isOwn else { return [] }
    let properties: [_ModelProperty] =
      switch status {
      case .pending: runtime.properties
      case .persistent: runtime.properties.filter { changes?.entry($0.index) != nil }
      case .transient, .deleted, .detached: []
      }
    return properties.map { $0.keyPath(in: T.self) }
  }

  /// Returns the committed value of a property: the value before its unsaved change, or else its current value.
  ///
  /// When the context has merged a value that others have saved since the property was changed, that is the committed
  /// value. An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - keyPath: A persisted property.
  ///   - model: A model of this context.
  /// - Returns: The value; nil for a model that is in no store, or that belongs to another context or to none.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for another key path, or an error of the store.
  public func committedValue<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, in model: T) throws -> Value? {
    let runtime = ModelRuntime.of(model)
    guard let property = runtime.index(of: keyPath).map({ runtime.properties[$0] }) else {
      throw SwiftDataError.unsupportedKeyPath.with(
        entity: runtime.entityName.string, message: "\(keyPath) does not lead to a persisted property.")
    }
    let (status, isOwn) = model._$withState { ($0.status, $0.belongs(to: graph)) }
    guard isOwn, status == .persistent || status == .deleted else { return nil }
    return try graph.exclusively { try StoredValues(graph: graph).committedValue(of: property, model) } as? Value
  }
}
