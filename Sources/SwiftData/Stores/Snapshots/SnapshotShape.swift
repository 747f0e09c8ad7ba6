import Support

/// Which values a snapshot has of a model class.
///
/// `@unchecked Sendable` because it is made of constants: properties, and attributes of a schema that nobody changes.
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
    /// It is not stored.
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

  // MARK: Finding one

  private struct Registry {
    var shapes: [ObjectIdentifier: SnapshotShape] = [:]
    /// The schemas of the custom stores that are open.
    var stores: [String: Schema] = [:]
  }

  private static let registry = Mutex(Registry())

  static func of(_ type: any PersistentModel.Type) -> SnapshotShape {
    if let shape = registry.withLock({ $0.shapes[ObjectIdentifier(type)] }) { return shape }
    let made = SnapshotShape(type)
    return registry.withLock { registry in
      if let shape = registry.shapes[ObjectIdentifier(type)] { return shape }
      registry.shapes[ObjectIdentifier(type)] = made
      return made
    }
  }

  /// Snapshots from a store are of the types of `schema`.
  static func register(_ schema: Schema, ofStore identifier: InternedString) {
    registry.withLock { $0.stores[identifier.string] = schema }
  }

  /// The store of a schema is closed.
  static func unregister(_ schema: Schema, ofStore identifier: InternedString) {
    registry.withLock { if $0.stores[identifier.string] === schema { $0.stores[identifier.string] = nil } }
  }

  /// The types that a snapshot with the given identifier can be of, the likeliest first: several versions of a schema
  /// have types of one name.
  static func candidates(for identifier: PersistentIdentifier) -> [any PersistentModel.Type] {
    let store = registry.withLock { registry in identifier.storeIdentifier.flatMap { registry.stores[$0] } }
    if let type = store?.entitiesByName[identifier.entityName]?.modelType { return [type] }
    return ModelTypes.named(identifier.entityName)
  }
}

extension Schema.Attribute {
  /// Whether values can share parts that are objects, so that a snapshot has to have copies of its own.
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
