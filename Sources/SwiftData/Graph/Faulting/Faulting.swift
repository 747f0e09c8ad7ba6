/// Reads what an accessor finds missing in memory.
enum Faulting {
  /// Makes a property readable, by firing a fault if necessary.
  ///
  /// - Returns: The targets of a relationship whose storage may not retain them; otherwise nil.
  /// - Throws: Why the store could not be read. The property is unchanged then.
  static func fire(_ model: any PersistentModel, _ property: _ModelProperty) throws -> [AnyObject]? {
    // The graph is retained, because code that decodes values may release it.
    if let graph = model._$withState({ $0.graph }) { return try graph.faulting.run(model, property) }
    if !property.isLoaded(model) { property.fillWithDefault(model) }
    return nil
  }

  /// Reads a property that is not in memory, for an accessor. An accessor cannot throw: a failure is recorded, so that the
  /// context's next call throws it, and so that values derived from the fallback value are not saved.
  ///
  /// - Returns: What the accessor returns instead: targets that the storage may not retain, or nothing after a
  ///   failure; nil when the storage has a value.
  static func access(_ model: any PersistentModel, _ index: Int) -> Fallback? {
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

  /// Clears the mark of a failed read once the property is read. The mark stays until a call has thrown the failure: until
  /// then the program does not know of it, and the next assignment may depend on the fallback value.
  ///
  /// - Returns: Whether the property is unmarked, and may be set.
  @discardableResult
  @inline(__always)
  static func forgetFailure(_ model: any PersistentModel, _ index: Int) -> Bool {
    model._$withState { $0.misread & _ModelState.bit(index) == 0 } || forgetKnownFailure(model, index)
  }

  private static func forgetKnownFailure(_ model: any PersistentModel, _ index: Int) -> Bool {
    guard model._$withState({ $0.graph })?.hasUnreportedFailure != true else { return false }
    // The last bit does not say which of several properties it marks.
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

  /// The value that an accessor returns instead of the stored one.
  enum Fallback {
    case targets([AnyObject])
    /// The store could not be read, or the property was never set. The fallback value is not stored.
    case nothing(_ModelProperty)
  }
}
