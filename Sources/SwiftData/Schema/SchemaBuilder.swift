import Synchronization

/// Makes entities from model types, and connects them.
struct SchemaBuilder {
  private(set) var entities: [Schema.Entity] = []
  private(set) var issues: [SwiftDataError.Issue] = []
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
  }

  private func makeEntity(_ type: any PersistentModel.Type) -> Schema.Entity {
    let entity = Schema.Entity(Schema.simpleName(of: type))
    entity.modelType = type
    entity.storedProperties = type.schemaMetadata.filter(\.isProperty).map { metadata in
      let property = makeProperty(metadata)
      entity.keyPaths.add(
        metadata.keypath, [metadata.name], fields: (property as? Schema.Attribute)?.storage.fields ?? [])
      return property
    }
    return entity
  }

  private func makeProperty(_ metadata: Schema.PropertyMetadata) -> any SchemaProperty {
    let valueType = type(of: metadata.keypath).valueType
    guard case .attribute = PropertyKind(valueType: valueType) else {
      let template = metadata.metadata as? Schema.Relationship ?? Schema.Relationship()
      return Schema.Relationship(template, name: metadata.name, keyPath: metadata.keypath)
    }
    let template = metadata.metadata as? Schema.Attribute
    let originalName = template.flatMap { $0.originalName.isEmpty ? nil : $0.originalName }
    let attribute = Schema.Attribute.make(
      name: metadata.name, originalName: originalName, options: template?.options ?? [], valueType: valueType,
      defaultValue: metadata.defaultValue, hashModifier: template?.hashModifier)
    attribute.keyPath = metadata.keypath
    return attribute
  }

  private mutating func addConstraints(to entity: Schema.Entity) {
    for metadata in entity.modelType?.schemaMetadata ?? [] {
      guard let constraint = metadata.metadata as? any ConstraintMetadata else { continue }
      for keyPaths in constraint.keyPathLists {
        let names = keyPaths.map { keyPath -> String? in
          entity.path(for: keyPath).map { $0.joined(separator: ".") }
        }
        guard !names.contains(nil), !names.isEmpty else {
          let unknown = zip(keyPaths, names).filter { $0.1 == nil }.map { "\($0.0)" }
          issues.append(
            .init(
              entity: entity.name,
              message: """
                \(constraint.isUnique ? "#Unique" : "#Index") names \(unknown.joined(separator: ", ")), which is no \
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

  // MARK: Types on their own

  private static let schemas = Mutex<[ObjectIdentifier: Schema]>([:])

  /// The schema that one type spans, made once in the process.
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
