import Support

/// The properties of a model class in its snapshots.
///
/// `@unchecked Sendable` because it is immutable: the attributes are of a schema that does not change.
final class SnapshotShape: @unchecked Sendable {
  struct Property {
    var property: _ModelProperty
    var kind: Kind

    var name: String { property.name }
  }

  enum Kind {
    case attribute(Schema.Attribute)
    case toOne
    case toMany
    /// The property is not stored.
    case ephemeral
  }

  let runtime: ModelRuntime
  let properties: [Property]
  let names: Set<String>

  private init(_ type: any PersistentModel.Type) {
    runtime = ModelRuntime.of(type)
    let entity = SchemaBuilder.entity(of: type)
    properties = runtime.properties.map { property in
      let kind: Kind
      if let relationship = property.relationship {
        kind = relationship.toMany == nil ? .toOne : .toMany
      } else if let attribute = entity.attribute(named: property.name), !attribute.isTransient {
        kind = .attribute(attribute)
      } else {
        kind = .ephemeral
      }
      return Property(property: property, kind: kind)
    }
    names = Set(properties.map(\.name))
  }

  // MARK: Registry

  private struct Registry {
    var shapes: [ObjectIdentifier: SnapshotShape] = [:]
    /// The schemas of open custom stores.
    var stores: [String: Schema] = [:]
  }

  private static let registry = Mutex(Registry())
  /// The schema of the custom store whose initializer runs, which may decode snapshots. Its identifier is not known yet.
  @TaskLocal static var schemaOfOpeningStore: Schema?

  static func of(_ type: any PersistentModel.Type) -> SnapshotShape {
    if let shape = registry.withLock({ $0.shapes[ObjectIdentifier(type)] }) { return shape }
    let made = SnapshotShape(type)
    return registry.withLock { registry in
      if let shape = registry.shapes[ObjectIdentifier(type)] { return shape }
      registry.shapes[ObjectIdentifier(type)] = made
      return made
    }
  }

  /// Registers the schema of an open store, to find the types of its snapshots.
  static func register(_ schema: Schema, ofStore identifier: InternedString) {
    registry.withLock { $0.stores[identifier.string] = schema }
  }

  /// Removes the schema of a closed store.
  static func unregister(_ schema: Schema, ofStore identifier: InternedString) {
    registry.withLock { if $0.stores[identifier.string] === schema { $0.stores[identifier.string] = nil } }
  }

  /// The possible types of a snapshot with the given identifier, the most probable first: several versions of a schema have
  /// types with the same name.
  static func candidates(for identifier: PersistentIdentifier) -> [any PersistentModel.Type] {
    let store = registry.withLock { registry in identifier.storeIdentifier.flatMap { registry.stores[$0] } }
    if let type = (store ?? schemaOfOpeningStore)?.entitiesByName[identifier.entityName]?.modelType { return [type] }
    return ModelTypes.named(identifier.entityName)
  }
}

extension Schema.Attribute {
  /// Whether values may share mutable objects, so that a snapshot needs copies.
  var needsCopies: Bool {
    storage.hasParts
  }
}

extension AttributeStorage {
  fileprivate var hasParts: Bool {
    switch self {
    case .json: true
    case .composite(let fields): fields.contains { $0.storage.hasParts }
    case .primitive, .rawRepresentable, .transformable, .unsupported: false
    }
  }
}
