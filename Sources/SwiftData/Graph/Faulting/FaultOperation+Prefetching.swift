extension FaultOperation {
  /// Reads the relationships that a fetch descriptor prefetches, with one statement for each.
  func prefetch<T: PersistentModel>(
    _ keyPaths: [PartialKeyPath<T>], of models: [T], _ binding: EntityBinding
  ) throws {
    for keyPath in keyPaths {
      var sources = models.filter { $0._$withState { $0.key > 0 } } as [any PersistentModel]
      for property in try relationships(on: keyPath, binding) {
        try prefetch(property, of: sources)
        sources = property.toMany == nil ? sources.flatMap(property.loadedTargets) : []
      }
    }
  }

  /// The relationships on a key path.
  func relationships(
    on keyPath: AnyKeyPath, _ binding: EntityBinding
  ) throws -> [any RelationshipProperty] {
    guard let path = KeyPathResolution.path(keyPath, binding.runtime), path.fields.isEmpty,
      !path.isOfIdentifier, path.properties.allSatisfy({ $0.relationship != nil })
    else {
      let name = KeyPathResolution.name(of: keyPath, binding.runtime)
      throw SwiftDataError.unsupportedKeyPath.with(
        entity: binding.entity.name, property: name,
        message: "Only relationships can be prefetched; \(name) is not a relationship.")
    }
    return path.properties.compactMap(\.relationship)
  }

  /// Reads the targets of a relationship for all of `models`.
  private func prefetch(_ property: any RelationshipProperty, of models: [any PersistentModel]) throws {
    guard let toOne = property.toOne else { return try prefetchMembers(property, of: models) }
    for model in models where !toOne.isLoaded(model) && toOne.unreadKey(of: model) == nil {
      try readRow(of: model)
    }
    try readTargets(toOne, of: models, readingFaults: true)
  }

  /// Reads the members of a to-many for some models, with their rows.
  func prefetchMembers(_ property: any RelationshipProperty, of models: [any PersistentModel]) throws {
    let owners = lacking(property, among: models)
    // Other neighbours may be of a class without the property.
    guard let binding = owners.first?.model._$withState({ $0.binding }),
      let destination = graph.binding(for: property.destinationType)
    else { return }
    let known = memberCount(property) ?? 1
    let members = ArrivingMembers(
      FetchGroup(map: destination.map), owners: owners.count, expected: owners.count * (known + 1))
    var accepted = AcceptedEntities(property)
    try binding.session.memberRows(of: property.name, in: binding.entity, owners: owners.map(\.key)) {
      owner, order, row, reader in
      let member = graph.bindingsByOrdinal[row.entity]
      guard accepted.includes(member) else { return }
      members.add(graph.receive(row.key, member, reader, members.group), row.key, order: order, owner: owner)
    }
    record(members.count, membersOf: owners.count, property)
    members.distribute { owner, members in
      fill(owners[owner].model, property, with: members)
    }
  }
}
