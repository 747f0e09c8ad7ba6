/// The properties and entities that the results of a descriptor depend on.
struct ResultsConcern: Hashable {
  /// The properties that matter, by the position of the entity in the schema.
  private(set) var properties: [UInt64]
  /// The entities whose insertions and deletions matter.
  private(set) var entities: Set<Int> = []
  /// Whether the dependencies are not known.
  private(set) var isUnknown = false
  /// The entities of the fetched models.
  private(set) var ownEntities: [Int] = []
  /// Whether other models of these entities matter for a model: a class can have relationships to itself.
  private(set) var dependsOnOwn = false
  /// Whether unsaved changes of the context are ignored.
  private(set) var isOfSaved = false

  enum Answer {
    case no
    /// It depends on the rows of the fetched models' entities that have changed.
    case dependsOnRows
    case yes
  }

  /// Whether a change of a row may matter. An inserted or deleted row has all properties.
  func isConcerned(by row: ChangedRows.Row) -> Bool {
    row.properties == .max || row.properties & properties[row.entity] != 0
  }

  func includes(_ changes: LiveChanges) -> Answer {
    if changes.isAnything || isUnknown { return changes.isEmpty ? .no : .yes }
    var answer = Answer.no
    for entity in changes.changed {
      let changed = changes.entities[entity]
      let counts =
        changed.hasOtherMembers && entities.contains(entity)
        || properties[entity] & changed.properties != 0
      if !counts { continue }
      if !ownEntities.contains(entity) || dependsOnOwn || changed.hasUnlistedKeys { return .yes }
      answer = .dependsOnRows
    }
    return answer
  }
}

extension ResultsConcern {
  init<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>, _ schema: Schema) {
    properties = Array(repeating: 0, count: schema.entities.count)
    isOfSaved = !descriptor.includePendingChanges
    addMembers(of: Model.self, schema)
    ownEntities = entities.sorted()
    var paths: [AnyKeyPath] = descriptor.sortBy.compactMap { descriptor in
      descriptor.keyPath.map { TextOrder.origin(of: $0)?.keyPath ?? $0 }
    }
    if paths.count < descriptor.sortBy.count { isUnknown = true }
    if let predicate = descriptor.predicate {
      if let read = PredicateInspection.keyPaths(predicate, others: &dependsOnOwn) {
        paths += read
      } else {
        isUnknown = true
      }
    }
    for path in paths where !KeyPathResolution.isIdentifier(path) { add(path, schema) }
  }

  private mutating func addMembers(of type: any PersistentModel.Type, _ schema: Schema) {
    entities.formUnion(schema.entities(of: ModelRuntime.of(type)))
  }

  /// Adds the properties on a key path of a model.
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
      if schema.entities(of: destination).contains(where: ownEntities.contains) { dependsOnOwn = true }
      addMembers(of: relationship.destinationType, schema)
      // The owner's row has the key of a to-one. For a one-to-one, either row may have it.
      if let inverse = owner.inverse(of: relationship), relationship.toMany != nil || inverse.toOne != nil {
        add(inverse, of: destination, schema)
      }
      owner = destination
    }
  }

  private mutating func add(_ property: _ModelProperty, of owner: ModelRuntime, _ schema: Schema) {
    // Inherited properties have the same index.
    for ordinal in schema.entities(of: owner) {
      properties[ordinal] |= _ModelState.bit(property.index)
    }
  }
}

extension ResultsConcern {
  /// A concern for all changes of some classes and their subclasses.
  init(all types: [any PersistentModel.Type], _ schema: Schema) {
    properties = Array(repeating: 0, count: schema.entities.count)
    for type in types { addAll(of: type, schema) }
  }

  mutating func addAll(of type: any PersistentModel.Type, _ schema: Schema) {
    for ordinal in schema.entities(of: ModelRuntime.of(type)) {
      entities.insert(ordinal)
      properties[ordinal] = .max
    }
  }
}

extension Schema {
  /// The positions of the entities of a class and its subclasses.
  fileprivate func entities(of runtime: ModelRuntime) -> [Int] {
    entities.indices.filter { entities[$0].modelType.map { ModelRuntime.of($0).isKind(of: runtime) } ?? false }
  }
}
