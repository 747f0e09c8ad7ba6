extension RelationshipProperty {
  /// All targets; the store is asked for those that are not in memory.
  ///
  /// - Throws: Why the store could not be read.
  func targets(of model: any PersistentModel) throws -> [any PersistentModel] {
    if !isLoaded(model), let unheld = try Faulting.fulfill(model, self) {
      return unheld.compactMap { $0 as? any PersistentModel }.filter { accepts(type(of: $0)) }
    }
    return loadedTargets(of: model)
  }
}
