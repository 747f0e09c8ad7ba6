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
  init<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, _ schema: Schema) {
    addMembers(of: Model.self, schema)
    var paths: [AnyKeyPath] = descriptor.sortBy.compactMap { descriptor in
      descriptor.keyPath.map { TextOrder.origin(of: $0)?.keyPath ?? $0 }
    }
    if paths.count < descriptor.sortBy.count { isUnknown = true }
    if let predicate = descriptor.predicate {
      if let read = PredicateInspection.keyPaths(predicate) { paths += read } else { isUnknown = true }
    }
    for path in paths where !KeyPathResolution.isIdentifier(path) { add(path, schema) }
  }

  private mutating func addMembers(of type: any PersistentModel.Type, _ schema: Schema) {
    let runtime = ModelRuntime.of(type)
    for (ordinal, heir) in schema.runtimes where heir.isKind(of: runtime) { entities.insert(ordinal) }
  }

  /// Adds the properties that a key path of a model goes through.
  private mutating func add(_ keyPath: AnyKeyPath, _ schema: Schema) {
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
      add(property, of: owner, schema)
      guard let relationship = property.relationship else { break }
      let destination = ModelRuntime.of(relationship.destinationType)
      addMembers(of: relationship.destinationType, schema)
      // Either side may be the one that the store keeps.
      if let inverse = owner.inverse(of: relationship) { add(inverse, of: destination, schema) }
      owner = destination
    }
  }

  private mutating func add(_ property: _ModelProperty, of owner: ModelRuntime, _ schema: Schema) {
    // Inherited properties have the same index.
    for (ordinal, heir) in schema.runtimes where heir.isKind(of: owner) {
      properties[ordinal, default: 0] |= _ModelState.bit(property.index)
    }
  }
}

extension ResultsConcern {
  /// Everything of some types, and of those that inherit from them.
  init(all types: [any PersistentModel.Type], _ schema: Schema) {
    for type in types { addAll(of: type, schema) }
  }

  mutating func addAll(of type: any PersistentModel.Type, _ schema: Schema) {
    let runtime = ModelRuntime.of(type)
    for (ordinal, heir) in schema.runtimes where heir.isKind(of: runtime) {
      entities.insert(ordinal)
      properties[ordinal] = .max
    }
  }
}

extension Schema {
  /// The classes of the entities, with the positions of these.
  fileprivate var runtimes: [(ordinal: Int, runtime: ModelRuntime)] {
    entities.enumerated().compactMap { ordinal, entity in entity.modelType.map { (ordinal, ModelRuntime.of($0)) } }
  }
}
