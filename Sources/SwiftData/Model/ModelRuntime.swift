import Support

/// The runtime's description of one model class: made once in the process, on first use, and shared by all containers.
///
/// `@unchecked Sendable` because it is immutable once it is made, except for `links`, which is set atomically.
final class ModelRuntime: @unchecked Sendable {
  let type: any PersistentModel.Type
  let entityName: InternedString
  let superclass: ModelRuntime?
  /// Inherited properties first, then the class's own in the order of the source.
  let properties: [_ModelProperty]
  /// The elements of `properties`, which retains them, without a retain for each access.
  private let propertyReferences: [Unmanaged<_ModelProperty>]
  let relationships: [any RelationshipProperty]
  let toOnes: [any ToOneRelationship]
  let toManys: [any ToManyRelationship]
  let hasConstants: Bool
  private let indices: [AnyKeyPath: Int]
  private let indicesByName: [String: Int]
  private let links = LazyReference<Links>()

  private static let registry = Mutex<[ObjectIdentifier: ModelRuntime]>([:])
  /// A cache of the registry that is read without a lock, indexed by a few bits of the type; the first type with an index
  /// keeps it. The memory is filled before its address is published, is never freed, and is changed only by atomic
  /// operations.
  nonisolated(unsafe) private static let shortcuts: UnsafeMutablePointer<LazyReference<ModelRuntime>> = {
    let shortcuts = UnsafeMutablePointer<LazyReference<ModelRuntime>>.allocate(capacity: shortcutCount)
    for index in 0..<shortcutCount { (shortcuts + index).initialize(to: LazyReference()) }
    return shortcuts
  }()
  private static let shortcutCount = 256

  static func of(_ type: any PersistentModel.Type) -> ModelRuntime {
    reference(type).takeUnretainedValue()
  }

  /// `of(_:)` without a retain: the registry retains the runtime until the process ends.
  private static func reference(_ type: any PersistentModel.Type) -> Unmanaged<ModelRuntime> {
    let key = ObjectIdentifier(type)
    let shortcut = shortcuts + (Int(bitPattern: key) >> 4) & (shortcutCount - 1)
    if let known = shortcut.pointee.reference,
      known._withUnsafeGuaranteedRef({ ObjectIdentifier($0.type) == key })
    {
      return known
    }
    let runtime = registered(type, key)
    _ = shortcut.pointee.setIfEmpty(runtime)
    return .passUnretained(runtime)
  }

  private static func registered(_ type: any PersistentModel.Type, _ key: ObjectIdentifier) -> ModelRuntime {
    if let runtime = registry.withLock({ $0[key] }) { return runtime }
    // Made outside the lock, because the model's own code runs. If two threads make one, the first to register it wins.
    let made = ModelRuntime(type)
    return registry.withLock { registry in
      if let runtime = registry[key] { return runtime }
      registry[key] = made
      return made
    }
  }

  static func of(_ model: any PersistentModel) -> ModelRuntime {
    reference(of: model).takeUnretainedValue()
  }

  private init(_ type: any PersistentModel.Type) {
    self.type = type
    entityName = InternedString(String(describing: type))
    superclass = type.modelSuperclass.map(ModelRuntime.of)
    let inherited = superclass?.properties ?? []
    let metadata = type.schemaMetadata.filter { $0.isProperty }
    let own = type.properties(in: metadata)
    for (offset, (property, entry)) in zip(own, metadata).enumerated() {
      property.complete(name: entry.name, index: inherited.count + offset, defaultValue: entry.defaultValue)
    }
    properties = inherited + own
    propertyReferences = properties.map(Unmanaged.passUnretained)
    relationships = properties.compactMap(\.relationship)
    toOnes = properties.compactMap(\.toOne)
    toManys = properties.compactMap(\.toMany)
    hasConstants = properties.contains(where: \.isConstant)
    indices = Dictionary(properties.map { ($0.keyPath, $0.index) }) { first, _ in first }
    indicesByName = Dictionary(properties.map { ($0.name, $0.index) }) { _, last in last }
  }

  /// The number of properties that two classes have in common: those of their nearest common superclass, which come first
  /// in both.
  func commonPropertyCount(with other: ModelRuntime) -> Int {
    let others = Set(sequence(first: other, next: \.superclass).map(ObjectIdentifier.init))
    return sequence(first: self, next: \.superclass).first { others.contains(ObjectIdentifier($0)) }?.properties.count
      ?? 0
  }

  /// The known subclasses: those whose runtime was used.
  var subclasses: [ModelRuntime] {
    Self.registry.withLock { registry in
      registry.values.filter { $0 !== self && $0.isKind(of: self) }
    }
  }

  /// Whether the class equals another one or inherits from it.
  func isKind(of other: ModelRuntime) -> Bool {
    sequence(first: self, next: \.superclass).contains { $0 === other }
  }

  /// Whether a property is declared or inherited by the class, so that it can be called with the class's models.
  func has(_ property: _ModelProperty) -> Bool {
    properties.indices.contains(property.index) && properties[property.index] === property
  }

  func index(of keyPath: AnyKeyPath) -> Int? {
    indices[keyPath]
  }

  func property(named name: String) -> _ModelProperty? {
    indicesByName[name].map { properties[$0] }
  }

  func identifier(of model: any PersistentModel) -> PersistentIdentifier {
    model._$withState { state in
      if state.bindingReference == nil, let identifier = state.lastIdentifier { return identifier }
      if state.key == 0 { state.key = TemporaryKey.next() }
      if state.key < 0 {
        state.isKnownUnsaved = true
        return PersistentIdentifier(store: .empty, entity: entityName, key: state.key)
      }
      if let identifier = state.withBinding({ $0.identifier(of: state.key) }) { return identifier }
      return PersistentIdentifier(store: state.store ?? .empty, entity: entityName, key: state.key)
    }
  }

  /// The inverse of a relationship, according to the metadata of the classes.
  func inverse(of property: any RelationshipProperty) -> (any RelationshipProperty)? {
    link(at: property.index)?._withUnsafeGuaranteedRef { $0.inverse }
  }

  /// A relationship and its inverse.
  final class Link: Sendable {
    let property: any RelationshipProperty
    /// `property`, if it is a to-one.
    let toOne: (any ToOneRelationship)?
    let inverse: (any RelationshipProperty)?
    /// Whether at most one model can have a given target, because the inverse is a to-one.
    let isExclusive: Bool

    init(_ property: any RelationshipProperty, inverse: (any RelationshipProperty)?) {
      self.property = property
      self.inverse = inverse
      toOne = property.toOne
      isExclusive = inverse?.toOne != nil
    }
  }

  /// The property at an index of a model's. It lives until the process ends.
  static func property(of model: any PersistentModel, at index: Int) -> Unmanaged<_ModelProperty> {
    reference(of: model)._withUnsafeGuaranteedRef { $0.propertyReferences[index] }
  }

  /// The relationship at an index of a model's; nil for an attribute.
  static func link(of model: any PersistentModel, at index: Int) -> Unmanaged<Link>? {
    reference(of: model)._withUnsafeGuaranteedRef { $0.link(at: index) }
  }

  @inline(__always)
  private static func reference(of model: any PersistentModel) -> Unmanaged<ModelRuntime> {
    model._$withState { $0.withBinding { .passUnretained($0.runtime) } } ?? reference(Swift.type(of: model))
  }

  /// The relationship at a property's index; nil for an attribute. It lives until the process ends.
  func link(at index: Int) -> Unmanaged<Link>? {
    if let known = links.reference { return known._withUnsafeGuaranteedRef { $0.byIndex[index] } }
    return links.setIfEmpty(Links(findLinks())).byIndex[index]
  }

  /// Retains the links that `byIndex` refers to. The runtime retains it.
  private final class Links: Sendable {
    let byIndex: [Unmanaged<Link>?]
    private let links: [Link?]

    init(_ links: [Link?]) {
      self.links = links
      byIndex = links.map { $0.map(Unmanaged.passUnretained) }
    }
  }

  private func findLinks() -> [Link?] {
    let entity = SchemaBuilder.schema(of: type).entity(forType: type)
    return properties.map { property -> Link? in
      guard let relationship = property.relationship else { return nil }
      let inverse = entity?.relationship(named: relationship.name)?.inverseName.flatMap {
        ModelRuntime.of(relationship.destinationType).property(named: $0)?.relationship
      }
      // A schema that fails validation may name an inverse whose destination lacks the property.
      let pointsBack = inverse.map { ModelRuntime.of($0.destinationType).has(property) } ?? false
      return Link(relationship, inverse: pointsBack ? inverse : nil)
    }
  }
}
