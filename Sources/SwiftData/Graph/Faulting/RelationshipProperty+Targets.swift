extension RelationshipProperty {
  /// All targets, read from the store if they are not in memory.
  ///
  /// - Throws: Why the store could not be read.
  func targets(of model: any PersistentModel) throws -> [any PersistentModel] {
    if !isLoaded(model), let unheld = try Faulting.fire(model, self) {
      return unheld.compactMap { $0 as? any PersistentModel }.filter { accepts(type(of: $0)) }
    }
    return loadedTargets(of: model)
  }
}

/// Whether rows of an entity can be targets of a relationship. Caches the last answer.
struct AcceptedEntities {
  private let property: any RelationshipProperty
  private var last: (binding: ObjectIdentifier, isAccepted: Bool)?

  init(_ property: any RelationshipProperty) {
    self.property = property
  }

  mutating func includes(_ binding: EntityBinding) -> Bool {
    if let last, last.binding == ObjectIdentifier(binding) { return last.isAccepted }
    let isAccepted = property.accepts(binding.runtime.type)
    last = (ObjectIdentifier(binding), isAccepted)
    return isAccepted
  }
}
