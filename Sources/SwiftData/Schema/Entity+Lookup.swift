extension Schema.Entity {
  /// The attribute with the name, inherited or own.
  func attribute(named name: String) -> Schema.Attribute? {
    attributesByName[name]
  }

  /// The relationship with the name, inherited or own.
  func relationship(named name: String) -> Schema.Relationship? {
    relationshipsByName[name]
  }

  /// The property with the name, inherited or own.
  func property(named name: String) -> (any SchemaProperty)? {
    storedPropertiesByName[name] ?? inheritedPropertiesByName[name]
  }

  /// The property at the end of a path of names through composites.
  func property(at path: some Sequence<String>) -> (any SchemaProperty)? {
    var names = path.makeIterator()
    var property = names.next().flatMap { self.property(named: $0) }
    while let name = names.next() {
      property = (property as? Schema.CompositeAttribute)?.properties.first { $0.name == name }
    }
    return property
  }

  /// The entities above this one, the nearest first.
  var superentities: some Sequence<Schema.Entity> {
    sequence(first: self, next: \.superentity).dropFirst()
  }

  /// The uniqueness constraints of this entity and of its superentities.
  var allUniquenessConstraints: [[String]] {
    var all = uniquenessConstraints
    for entity in superentities {
      for constraint in entity.uniquenessConstraints where !all.contains(constraint) { all.append(constraint) }
    }
    return all
  }

  /// The topmost entity of the inheritance; the entity itself when it inherits from none.
  var rootEntity: Schema.Entity {
    superentities.reduce(self) { $1 }
  }

  /// Whether models of this entity are models of `other`, which is this entity or a superentity.
  func isKind(of other: Schema.Entity) -> Bool {
    self === other || superentities.contains { $0 === other }
  }

  /// The names of a key path's steps: one for a property, more for a field of a composite.
  ///
  /// The key path may begin at this entity's type or at a subclass.
  func path(for keyPath: AnyKeyPath) -> [String]? {
    if let path = keyPaths[keyPath] { return path }
    for entity in superentities {
      if let path = entity.keyPaths[keyPath] { return path }
    }
    return nil
  }

  /// A key path as source code spells it, as far as reflection gives the names.
  func sourceName(of keyPath: AnyKeyPath) -> String {
    if let path = path(for: keyPath) { return path.joined(separator: ".") }
    return keyPath.steps(
      naming: properties.compactMap { property in
        let own = (property as? Schema.Attribute)?.keyPath ?? (property as? Schema.Relationship)?.keypath
        return own?.describedSteps.map { ($0, property.name) }
      })
  }
}
