import Support

/// What the runtime knows of one model class: made once in the process, on first use, and shared by all containers.
///
/// `@unchecked Sendable` because nothing of it changes once it is made, but for `links`, which is set atomically.
final class ModelRuntime: @unchecked Sendable {
  let type: any PersistentModel.Type
  let entityName: InternedString
  let superclass: ModelRuntime?
  /// Inherited properties first, then the class's own in the order of the source.
  let properties: [_ModelProperty]
  /// The same, to be asked without counting a reference for each: `properties` holds them.
  private let propertyReferences: [Unmanaged<_ModelProperty>]
  let relationships: [any RelationshipProperty]
  let toOnes: [any ToOneRelationship]
  let toManys: [any ToManyRelationship]
  let hasConstants: Bool
  private let indices: [AnyKeyPath: Int]
  private let indicesByName: [String: Int]
  private let links = LazyReference<Links>()

  private static let registry = Mutex<[ObjectIdentifier: ModelRuntime]>([:])
  /// Some of the registry's, to be found without a lock: by a few bits of the type, and the first to come has the place.
  /// The memory is filled before anybody has its address, is never given back, and changes by atomic operations alone.
  nonisolated(unsafe) private static let shortcuts: UnsafeMutablePointer<LazyReference<ModelRuntime>> = {
    let shortcuts = UnsafeMutablePointer<LazyReference<ModelRuntime>>.allocate(capacity: shortcutCount)
    for index in 0..<shortcutCount { (shortcuts + index).initialize(to: LazyReference()) }
    return shortcuts
  }()
  private static let shortcutCount = 256

  static func of(_ type: any PersistentModel.Type) -> ModelRuntime {
    reference(type).takeUnretainedValue()
  }

  /// The same, without a reference counted: the registry has it for as long as the process.
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
    // Made outside the lock, because the model's own code runs; two threads may make it, and one wins.
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

  /// How many properties a class has in common with another one: those of the class that both inherit from, which come
  /// first in either.
  func commonPropertyCount(with other: ModelRuntime) -> Int {
    let others = Set(sequence(first: other, next: \.superclass).map(ObjectIdentifier.init))
    return sequence(first: self, next: \.superclass).first { others.contains(ObjectIdentifier($0)) }?.properties.count
      ?? 0
  }

  /// The classes that inherit from this one, as far as there was a use for them.
  var subclasses: [ModelRuntime] {
    Self.registry.withLock { registry in
      registry.values.filter { heir in sequence(first: heir, next: \.superclass).dropFirst().contains { $0 === self } }
    }
  }

  /// Whether the class is another one or inherits from it.
  func isKind(of other: ModelRuntime) -> Bool {
    sequence(first: self, next: \.superclass).contains { $0 === other }
  }

  /// Whether a property is the class's own or inherited, so that its models can be handed to it.
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

  /// The other side of a relationship, as the classes' own metadata tells it.
  func inverse(of property: any RelationshipProperty) -> (any RelationshipProperty)? {
    link(at: property.index)?._withUnsafeGuaranteedRef { $0.inverse }
  }

  /// A relationship and its other side.
  final class Link: Sendable {
    let property: any RelationshipProperty
    /// The same, if it is a to-one.
    let toOne: (any ToOneRelationship)?
    let inverse: (any RelationshipProperty)?
    /// Whether one model at most can lead to a target, because the inverse is a to-one.
    let isExclusive: Bool

    init(_ property: any RelationshipProperty, inverse: (any RelationshipProperty)?) {
      self.property = property
      self.inverse = inverse
      toOne = property.toOne
      isExclusive = inverse?.toOne != nil
    }
  }

  /// The property at an index of a model's, which is there for as long as the process.
  static func property(of model: any PersistentModel, at index: Int) -> Unmanaged<_ModelProperty> {
    reference(of: model)._withUnsafeGuaranteedRef { $0.propertyReferences[index] }
  }

  /// The relationship there; nil for an attribute.
  static func link(of model: any PersistentModel, at index: Int) -> Unmanaged<Link>? {
    reference(of: model)._withUnsafeGuaranteedRef { $0.link(at: index) }
  }

  @inline(__always)
  private static func reference(of model: any PersistentModel) -> Unmanaged<ModelRuntime> {
    model._$withState { $0.withBinding { .passUnretained($0.runtime) } } ?? reference(Swift.type(of: model))
  }

  /// The relationship at a property's index, which is there for as long as the process; nil for an attribute.
  func link(at index: Int) -> Unmanaged<Link>? {
    if let known = links.reference { return known._withUnsafeGuaranteedRef { $0.byIndex[index] } }
    return links.setIfEmpty(Links(findLinks())).byIndex[index]
  }

  /// It holds what it has references to, and the runtime holds it.
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
      // A schema that is refused may name one that leads to models which lack the property.
      let pointsBack = inverse.map { ModelRuntime.of($0.destinationType).has(property) } ?? false
      return Link(relationship, inverse: pointsBack ? inverse : nil)
    }
  }
}
