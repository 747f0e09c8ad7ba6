import Support

/// Makes entities from model types, and connects them.
struct SchemaBuilder {
  private(set) var entities: [Schema.Entity] = []
  private(set) var issues: [SwiftDataError.Issue] = []
  /// Messages about properties that are valid but probably a mistake.
  private(set) var notices: [String] = []
  private var byType: [ObjectIdentifier: Schema.Entity] = [:]

  mutating func build(_ types: [any PersistentModel.Type]) {
    var waiting = types
    var next = 0
    while next < waiting.count {
      let type = waiting[next]
      next += 1
      guard byType[ObjectIdentifier(type)] == nil else { continue }
      let entity = makeEntity(type)
      byType[ObjectIdentifier(type)] = entity
      entities.append(entity)
      if let superclass = type.modelSuperclass { waiting.append(superclass) }
      waiting += entity.storedProperties.compactMap { ($0 as? Schema.Relationship)?.destinationType }
    }
    for entity in entities {
      if let superclass = entity.modelType?.modelSuperclass, let superentity = byType[ObjectIdentifier(superclass)] {
        entity.link(to: superentity)
      }
    }
    for entity in entities { addConstraints(to: entity) }
    var inference = InverseInference(entities: entities)
    inference.run()
    issues += inference.issues
    notices += inference.notices
    for entity in entities {
      for property in entity.storedProperties { notices += Self.notices(of: property, entity, entities) }
    }
  }

  private static func notices(
    of property: any SchemaProperty, _ entity: Schema.Entity, _ entities: [Schema.Entity]
  ) -> [String] {
    let name = "\(entity.name).\(property.name)"
    if ["description", "hash"].contains(property.name) {
      return ["\(name) has a name that Apple's SwiftData refuses. Rename it if the model has to compile there too."]
    }
    guard let relationship = property as? Schema.Relationship, relationship.isToOneRelationship,
      relationship.deleteRule == .cascade,
      let destination = entities.first(where: { $0.name == relationship.destination }),
      let inverse = relationship.inverseName.flatMap(destination.relationship), !inverse.isToOneRelationship
    else { return [] }
    let others = inverse.deleteRule == .cascade ? " and all of its \(inverse.name)" : ""
    return [
      """
      \(name) has the delete rule .cascade, and its inverse is a to-many: deleting one \(entity.name) deletes its \
      \(destination.name)\(others). If the \(destination.name) owns the \(entity.name), move the rule to \
      \(destination.name).\(inverse.name).
      """
    ]
  }

  private mutating func makeEntity(_ type: any PersistentModel.Type) -> Schema.Entity {
    let entity = Schema.Entity(Schema.simpleName(of: type))
    entity.modelType = type
    ModelTypes.register(type, named: entity.name)
    var properties: [any SchemaProperty] = []
    // A class that adds nothing to a model inherits its metadata, which does not describe the class.
    for metadata in type.schemaMetadata where metadata.isProperty && Swift.type(of: metadata.keypath).rootType == type {
      let property = makeProperty(metadata, of: entity)
      let fields = (property as? Schema.Attribute)?.storage.fields ?? []
      entity.keyPaths.add(metadata.keypath, [metadata.name], fields: fields)
      properties.append(property)
    }
    entity.storedProperties = properties
    let count = Self.propertyCount(of: type)
    if count > EmptyRowReader.capacity {
      issues.append(
        SwiftDataError.Issue(
          entity: entity.name,
          message: "It has \(count) properties, including inherited ones; the limit is \(EmptyRowReader.capacity)."))
    }
    return entity
  }

  /// The number of properties of a model, including inherited ones.
  private static func propertyCount(of type: any PersistentModel.Type) -> Int {
    let own = type.schemaMetadata.count { $0.isProperty }
    return own + (type.modelSuperclass.map(propertyCount) ?? 0)
  }

  private mutating func makeProperty(
    _ metadata: Schema.PropertyMetadata, of entity: Schema.Entity
  ) -> any SchemaProperty {
    let valueType = type(of: metadata.keypath).valueType
    let attributeTemplate = metadata.metadata as? Schema.Attribute
    guard case .attribute = PropertyKind(valueType: valueType) else {
      let template = metadata.metadata as? Schema.Relationship ?? Self.relationship(attributeTemplate)
      return Schema.Relationship(template, name: metadata.name, keyPath: metadata.keypath)
    }
    if metadata.metadata is Schema.Relationship {
      issues.append(
        SwiftDataError.Issue(
          entity: entity.name, property: metadata.name,
          message: "It is marked @Relationship, but \(Schema.simpleName(of: valueType)) is not a model."))
    }
    let originalName = attributeTemplate.flatMap { $0.originalName.isEmpty ? nil : $0.originalName }
    let attribute = Schema.Attribute.make(
      name: metadata.name, originalName: originalName, options: attributeTemplate?.options ?? [],
      valueType: valueType, defaultValue: Self.flattened(metadata.defaultValue),
      hashModifier: attributeTemplate?.hashModifier)
    attribute.keyPath = metadata.keypath
    return attribute
  }

  /// The template of a relationship without `@Relationship`, which may have an `@Attribute`.
  private static func relationship(_ attribute: Schema.Attribute?) -> Schema.Relationship {
    let relationship = Schema.Relationship(
      minimumModelCount: nil, maximumModelCount: nil, originalName: attribute?.originalName,
      hashModifier: attribute?.hashModifier)
    if attribute?.isUnique == true { relationship.options = [.unique] }
    return relationship
  }

  /// A default value without the `Optional` that its property's type may have put around it.
  private static func flattened(_ value: Any?) -> Any? {
    guard let value, let optional = value as? any OptionalValue else { return value }
    return flattened(optional.wrapped)
  }

  private mutating func addConstraints(to entity: Schema.Entity) {
    for metadata in entity.modelType?.schemaMetadata ?? [] {
      guard let constraint = metadata.metadata as? any ConstraintMetadata else { continue }
      for keyPaths in constraint.keyPathLists {
        let names = keyPaths.map { keyPath -> String? in
          entity.path(for: keyPath).map { $0.joined(separator: ".") }
        }
        guard !names.contains(nil), !names.isEmpty else {
          let unknown = zip(keyPaths, names).filter { $0.1 == nil }.map { entity.sourceName(of: $0.0) }
          issues.append(
            .init(
              entity: entity.name,
              message: """
                \(constraint.isUnique ? "#Unique" : "#Index") names \(unknown.joined(separator: ", ")), which is not a \
                stored property.
                """))
          continue
        }
        let list = names.compactMap { $0 }
        if constraint.isUnique {
          if !entity.uniquenessConstraints.contains(list) { entity.uniquenessConstraints.append(list) }
        } else if !entity.indices.contains(list) {
          entity.indices.append(list)
        }
      }
    }
  }

  // MARK: Schemas of single types

  private static let schemas = Mutex<[ObjectIdentifier: Schema]>([:])

  /// The schema of one type and its related types, made once a process.
  static func schema(of type: any PersistentModel.Type) -> Schema {
    if let known = schemas.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let made = Schema([type])
    return schemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(type)] { return known }
      schemas[ObjectIdentifier(type)] = made
      return made
    }
  }

  static func entity(of type: any PersistentModel.Type) -> Schema.Entity {
    schema(of: type).entity(forType: type) ?? Schema.Entity(Schema.simpleName(of: type))
  }
}
