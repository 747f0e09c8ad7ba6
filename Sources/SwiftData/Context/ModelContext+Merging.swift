extension ModelContext {
  /// What a save does where others have changed what it is about to overwrite.
  ///
  /// The value is ``MergePolicy/lastWriterWins`` at first: each property that the context has changed is written, whatever
  /// others have saved in the meantime, and nothing is compared. With any other value, ``save()`` first keeps others from
  /// writing to its SQLite stores, takes in what they have saved so far, and compares the properties that it is about to
  /// write with what they had when the context changed them. That costs the lock and, when others have written, a read of
  /// the rows that are about to be written. A custom store has no lock: there, what contexts of the same container have
  /// saved is known, and nothing else.
  ///
  /// Set the policy before the first change: what becomes of models that others delete is decided when the context
  /// learns of it. See <doc:WorkingWithSeveralContexts> for what each policy does in which case. An addition of
  /// OpenSwiftData.
  public var mergePolicy: MergePolicy {
    get { graph.mergePolicy }
    set { graph.mergePolicy = newValue }
  }

  /// Settles conflicts that a save has found, so that the next one can go on.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .mergeConflict {
  ///   let conflicts = error.details?.conflicts ?? []
  ///   // Look at them, and set what is to be saved.
  ///   try context.resolve(conflicts, keeping: .context)
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - conflicts: Those that ``SwiftDataError/mergeConflict`` lists. What is no conflict any more is passed over.
  ///   - side: What is kept. With ``MergeConflict/Side/context``, the next save writes what the context has then. With
  ///     ``MergeConflict/Side/store``, properties get what the store has, models that others have deleted leave the context,
  ///     and deletions of models that others have changed are taken back.
  /// - Throws: Why what the store has could not be read.
  public func resolve(_ conflicts: [MergeConflict], keeping side: MergeConflict.Side) throws {
    try graph.exclusively {
      try graph.withoutUndo { try ConflictResolution(graph: graph).resolve(conflicts, keeping: side) }
    }
  }

  /// Reads the row and the relationships of a model anew.
  ///
  /// A context learns by itself of what others save, so that this is rarely needed: for a store that others write to
  /// without keeping a history, or to be sure of one model. A model that others have deleted leaves the context. Of a
  /// model that is not saved yet, is to be deleted, or belongs to another context, nothing is read.
  ///
  /// - Parameters:
  ///   - model: A model of this context.
  ///   - mergesChanges: Whether unsaved changes of the model stay. When false, they are discarded, and with them the other
  ///     sides of the relationships that were changed.
  /// - Throws: Why the store could not be read. What was not read by then stays as it was.
  public func refresh(_ model: some PersistentModel, mergesChanges: Bool = true) throws {
    try graph.exclusively { try graph.withoutUndo { try graph.refresh(model, keepsChanges: mergesChanges) } }
  }

  /// The properties of a model with unsaved changes, in the order of their declaration.
  ///
  /// Of a model that is inserted and not saved yet these are all persisted properties. A property that was set to the value
  /// that it had is one of them. The key path of an inherited property is that of the class that declares it. An addition
  /// of OpenSwiftData.
  ///
  /// - Parameter model: A model of this context.
  /// - Returns: Nothing for a model that is to be deleted, that belongs to another context, or that belongs to none.
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

  /// What the store has of a property, as far as the context knows: the value before the unsaved change, or the value of
  /// the property where there is none.
  ///
  /// What others have saved since the property was changed, and the context has learned of, counts as the value before.
  /// An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - keyPath: A persisted property.
  ///   - model: A model of this context.
  /// - Returns: Nil for a model that is not in a store, that belongs to another context, or that belongs to none.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for another key path, or why the store could not be read.
  public func committedValue<T: PersistentModel, Value>(of keyPath: KeyPath<T, Value>, in model: T) throws -> Value? {
    let runtime = ModelRuntime.of(model)
    guard let property = runtime.index(of: keyPath).map({ runtime.properties[$0] }) else {
      throw SwiftDataError.unsupportedKeyPath.with(
        entity: runtime.entityName.string, message: "\(keyPath) leads to no persisted property.")
    }
    let (status, isOwn) = model._$withState { ($0.status, $0.belongs(to: graph)) }
    guard isOwn, status == .persistent || status == .deleted else { return nil }
    return try graph.exclusively { try StoredValues(graph: graph).committedValue(of: property, model) } as? Value
  }
}
