/// What the rows that a descriptor selects, and their order, depend on.
struct ResultsConcern {
  /// By the position of the entity in the schema: the properties that count.
  private(set) var properties: [Int: UInt64] = [:]
  /// The entities of which it counts that models come or go.
  private(set) var entities: Set<Int> = []
  /// Whether it is not known what counts.
  private(set) var isUnknown = false

  func includes(_ changes: LiveChanges) -> Bool {
    if changes.isAnything { return true }
    if isUnknown { return !changes.isEmpty }
    if !entities.isDisjoint(with: changes.otherMembers) { return true }
    return changes.properties.contains { entity, bits in properties[entity].map { $0 & bits != 0 } ?? false }
  }
}

extension ResultsConcern {
  /// - Parameter bindings: Those of all entities of the schema.
  init<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, _ bindings: [EntityBinding]) {
    addMembers(of: Model.self, bindings)
    var paths: [AnyKeyPath] = descriptor.sortBy.compactMap { descriptor in
      descriptor.keyPath.map { TextOrder.origin(of: $0)?.keyPath ?? $0 }
    }
    if paths.count < descriptor.sortBy.count { isUnknown = true }
    if let predicate = descriptor.predicate {
      if let read = PredicateInspection.keyPaths(predicate) { paths += read } else { isUnknown = true }
    }
    for path in paths where !KeyPathResolution.isIdentifier(path) { add(path, bindings) }
  }

  private mutating func addMembers(of type: any PersistentModel.Type, _ bindings: [EntityBinding]) {
    let runtime = ModelRuntime.of(type)
    for binding in bindings where binding.runtime.isKind(of: runtime) { entities.insert(binding.ordinal) }
  }

  /// Adds the properties that a key path of a model goes through.
  private mutating func add(_ keyPath: AnyKeyPath, _ bindings: [EntityBinding]) {
    guard let type = unwrappedType(Swift.type(of: keyPath).rootType) as? any PersistentModel.Type else {
      isUnknown = true
      return
    }
    let runtime = ModelRuntime.of(type)
    guard let path = KeyPathResolution.path(keyPath, runtime) ?? KeyPathResolution.casePath(keyPath, runtime)?.path
    else {
      isUnknown = true
      return
    }
    var owner = runtime
    for property in path.properties {
      add(property, of: owner, bindings)
      guard let relationship = property.relationship else { break }
      let destination = ModelRuntime.of(relationship.destinationType)
      addMembers(of: relationship.destinationType, bindings)
      // Either side may be the one that the store keeps.
      if let inverse = owner.inverse(of: relationship) { add(inverse, of: destination, bindings) }
      owner = destination
    }
  }

  private mutating func add(_ property: _ModelProperty, of owner: ModelRuntime, _ bindings: [EntityBinding]) {
    // Inherited properties have the same index.
    for binding in bindings where binding.runtime.isKind(of: owner) {
      properties[binding.ordinal, default: 0] |= _ModelState.bit(property.index)
    }
  }
}
