/// Decides about and records each change of a property, of any kind.
enum Mutation {
  /// Decides whether a property may change, and records its first change since the last save in the journal.
  ///
  /// - Parameters:
  ///   - isAsked: Whether the program makes this change; false for a consequence of another change.
  ///   - change: The change of a to-many, where an undo manager does not need the list of all members.
  ///   - entry: The entry for the journal, with the committed value.
  /// - Returns: Whether the change may be made; a deleted model cannot be changed.
  static func begin(
    _ model: any PersistentModel, _ index: Int, isAsked: Bool = true,
    members change: @autoclosure () -> UndoStep.MemberChange? = nil, _ entry: @autoclosure () -> JournalEntry
  ) -> Bool {
    begin(model, index, isAsked, isOfAttribute: false, change, record: { $0.record(entry()) })
  }

  /// `begin` for an attribute that the program sets.
  ///
  /// - Parameter original: The storage before the change.
  static func begin(_ model: any PersistentModel, attribute index: Int, original: () -> Any) -> Bool {
    begin(model, index, true, isOfAttribute: true, { nil }, record: { $0.recordAttribute(index, old: original()) })
  }

  @inline(__always)
  private static func begin(
    _ model: any PersistentModel, _ index: Int, _ isAsked: Bool, isOfAttribute: Bool,
    _ change: () -> UndoStep.MemberChange?, record: (ObjectChanges) -> Void
  ) -> Bool {
    if isAsked, isRefused(model, index) { return false }
    let status = model._$withState { $0.status }
    if UndoRecorder.areThereAny { recordForUndo(model, index, status, change()) }
    switch status {
    case .transient, .pending:
      return true
    case .persistent:
      return model.exclusivelyInDebugBuilds {
        let isFirst = model._$withState { !$0.isDirty(index) || index >= _ModelState.restIndex }
        if isFirst, isOfAttribute, let changes = model._$withState({ $0.changesReference }) {
          // No other model is involved.
          changes._withUnsafeGuaranteedRef(record)
        } else if isFirst {
          // Not retained: the caller retains the model, and the model's context retains the graph.
          model._$withState { $0.graphReference }?._withUnsafeGuaranteedRef { graph in
            graph.exclusively { graph.changes(of: model).map(record) }
          }
        }
        if isFirst {
          let bit = _ModelState.bit(index)
          model._$withState { $0.bindingReference }?._withUnsafeGuaranteedRef {
            $0.map.unsaved.changedProperties |= bit
          }
        }
        return true
      }
    case .deleted, .detached:
      if isAsked { reportLostChange(model, ModelRuntime.of(model).properties[index]) }
      return false
    }
  }

  /// Reports that the program set a property of a model that cannot be changed.
  private static func reportLostChange(_ model: any PersistentModel, _ property: _ModelProperty) {
    if let survivor = model._$withState({ $0.survivor }), let graph = survivor._$withState({ $0.graph }) {
      return graph.reject(
        survivor,
        """
        \(property.name) was set on an inserted object that has no row: a save merged it into the context's object with \
        the same unique values.
        """,
        "Set it on that object, which a fetch returns.", about: property)
    }
    Log.model.warning(
      "\(property.name) of the deleted \(model.anyIdentifier) was set. The value is unchanged, and no save writes it.")
  }

  private static func recordForUndo(
    _ model: any PersistentModel, _ index: Int, _ status: _ModelState.Status, _ change: UndoStep.MemberChange?
  ) {
    guard status == .pending || status == .persistent, let graph = model._$withState({ $0.graph }) else { return }
    guard let recorder = graph.undoRecorder else { return }
    let property = ModelRuntime.of(model).properties[index]
    graph.exclusively {
      if let change {
        recorder.record(change, of: property, model)
      } else {
        recorder.recordChange(of: property, model)
      }
    }
  }

  /// Whether a property may not be set because a read of it failed: the new value may depend on the fallback value, and would
  /// overwrite a value that the program has not seen.
  @inline(__always)
  static func isRefused(_ model: any PersistentModel, _ index: Int) -> Bool {
    model._$withState { $0.misread & _ModelState.bit(index) != 0 } && refuse(model, index)
  }

  private static func refuse(_ model: any PersistentModel, _ index: Int) -> Bool {
    let property = ModelRuntime.of(model).properties[index]
    if property.isLoaded(model), Faulting.forgetFailure(model, index) { return false }
    model._$withState { $0.graph }?.reject(
      model, "It was set after its stored value could not be read.",
      "The stored value is unchanged. Read it again, and set it when the read succeeds.", about: property)
    return true
  }

  /// Ends a change of a property that is a consequence of another change.
  static func endConsequence(_ model: any PersistentModel) {
    model._$withState { $0.graphReference }?._withUnsafeGuaranteedRef { $0.scheduleAutosaveIfNeeded() }
  }

  static func end(_ model: any PersistentModel, _ index: Int) {
    // Each setter calls this, so nothing is retained: the caller retains the model, and the graph retains its bindings.
    model._$withState { $0.bindingReference }?._withUnsafeGuaranteedRef { binding in
      binding.recordChange(of: model, property: index)
      binding.graphReference?._withUnsafeGuaranteedRef { $0.didChange() }
    }
  }
}
