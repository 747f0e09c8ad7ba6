/// Reads what a model does not have in memory yet when code accesses it.
enum Faulting {
  /// Makes a property readable, whatever that takes.
  ///
  /// - Returns: What a relationship leads to, where its storage may not hold it; nil when it does.
  /// - Throws: Why the store could not be read. The property is as it was then.
  static func fire(_ model: any PersistentModel, _ property: _ModelProperty) throws -> [AnyObject]? {
    // Held, because what reads values may be the last to let go of it.
    if let graph = model._$withState({ $0.graph }) { return try graph.faulting.run(model, property) }
    if !property.isLoaded(model) { property.fillWithDefault(model) }
    return nil
  }

  /// What an accessor does about a property that is not there. It cannot throw: a failure is noted, so that the
  /// context's next call throws it and so that nothing that comes of it is saved.
  ///
  /// - Returns: What to return instead of the storage: the models that it may not hold, or nothing after a failure; nil
  ///   when the storage has a value.
  static func access(_ model: any PersistentModel, _ index: Int) -> Substitute? {
    ModelRuntime.property(of: model, at: index)._withUnsafeGuaranteedRef { property in
      if property.isUnset(in: model) { return .nothing(property) }
      do {
        let unheld = try fire(model, property)
        forgetFailure(model, index)
        return unheld.map { .targets($0) }
      } catch {
        record(error, model, property)
        return .nothing(property)
      }
    }
  }

  /// Takes a property that is read now for one whose value its reader knows. Until the failure before that was thrown
  /// nobody has heard of it, and what is about to be set may come of it: code that sets by a key path reads once more.
  ///
  /// - Returns: Whether there is nothing to be afraid of.
  @discardableResult
  @inline(__always)
  static func forgetFailure(_ model: any PersistentModel, _ index: Int) -> Bool {
    model._$withState { $0.misread & _ModelState.bit(index) == 0 } || forgetKnownFailure(model, index)
  }

  private static func forgetKnownFailure(_ model: any PersistentModel, _ index: Int) -> Bool {
    guard model._$withState({ $0.graph })?.hasUnreportedFailure != true else { return false }
    // From the last bit on nobody can tell which of several it was.
    let others = ModelRuntime.of(model).properties.dropFirst(_ModelState.restIndex)
    if index < _ModelState.restIndex || others.allSatisfy({ $0.isLoaded(model) }) {
      model._$withState { $0.misread &= ~_ModelState.bit(index) }
    }
    return true
  }

  private static func record(_ error: any Error, _ model: any PersistentModel, _ property: _ModelProperty) {
    let isKnown = model._$withState { $0.misread & _ModelState.bit(property.index) != 0 }
    model._$withState { $0.misread |= _ModelState.bit(property.index) }
    model._$withState { $0.graph }?.record(error)
    if isKnown { return }
    Log.store.error("Reading \(property.name) of \(model.anyIdentifier) failed: \(error)")
  }

  /// What an accessor returns in the place of what is stored.
  enum Substitute {
    case targets([AnyObject])
    /// The store could not be read, or the property was never set. It is never kept.
    case nothing(_ModelProperty)
  }
}
