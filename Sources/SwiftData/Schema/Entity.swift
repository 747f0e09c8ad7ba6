extension Schema {
  /// The description of one model type in a schema.
  ///
  /// The library builds the entities of a schema from model types once and does not change them afterwards, and your
  /// code must not change them either. That makes it safe to share them between threads. The conformance to `Sendable`
  /// is unchecked, because the properties can be set while an entity is being put together by hand.
  public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The name of the model type, without its module and enclosing types.
    public var name: String
    /// The entities that inherit from this one directly.
    public var subentities: Set<Entity>
    /// The name of the entity that this one inherits from.
    public var superentityName: String?
    private weak var linkedSuperentity: Entity?

    /// The entity that this one inherits from.
    ///
    /// The reference is weak; the schema keeps the entity alive.
    public var superentity: Entity? {
      get { linkedSuperentity }
      set {
        linkedSuperentity = newValue
        superentityName = newValue?.name
      }
    }

    private var own: [any SchemaProperty] = []
    private var inherited: [any SchemaProperty] = []

    /// The properties that the model type declares itself, in the order of the source code.
    public var storedProperties: [any SchemaProperty] {
      get { own }
      set {
        own = newValue
        refresh()
      }
    }

    /// The properties that the model type inherits, those of the topmost class first.
    public var inheritedProperties: [any SchemaProperty] {
      get { inherited }
      set {
        inherited = newValue
        refresh()
      }
    }

    /// All properties: first the inherited ones, then the type's own.
    public var properties: [any SchemaProperty] {
      inherited + own
    }

    /// The properties that hold values, including inherited ones.
    public var attributes: Set<Attribute> = []
    /// The properties that refer to models, including inherited ones.
    public var relationships: Set<Relationship> = []
    /// ``attributes``, by name.
    public var attributesByName: [String: Attribute] = [:]
    /// ``relationships``, by name.
    public var relationshipsByName: [String: Relationship] = [:]
    /// ``storedProperties``, by name.
    public var storedPropertiesByName: [String: any SchemaProperty] = [:]
    /// ``inheritedProperties``, by name.
    public var inheritedPropertiesByName: [String: any SchemaProperty] = [:]
    /// The uniqueness constraints.
    ///
    /// Each lists the names of properties whose values no two models may share together. The name of a field of a
    /// composite attribute is written with dots, as in `address.city`.
    public var uniquenessConstraints: [[String]] = []
    /// The indexes.
    ///
    /// Each lists the names of the properties that it covers together. The name of a field of a composite attribute is
    /// written with dots, as in `address.city`.
    public var indices: [[String]] = []

    /// The type that the entity was built from.
    var modelType: (any PersistentModel.Type)?
    /// The names of the entity's own properties, by the key paths from its type.
    var keyPaths = KeyPathTable()

    /// Makes an entity without properties.
    public init(_ name: String) {
      self.name = name
      subentities = []
    }

    /// Makes an entity of a schema that is put together by hand.
    ///
    /// The subentities inherit its properties.
    ///
    /// - Parameters:
    ///   - name: The name of the entity, which is that of its class.
    ///   - subentities: The entities that inherit the properties.
    ///   - properties: The attributes and relationships, in their order.
    public init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
      self.name = name
      self.subentities = Set(subentities)
      storedProperties = properties
      for subentity in subentities { subentity.link(to: self) }
    }

    /// Makes an entity of a schema that is put together by hand.
    ///
    /// - Parameters:
    ///   - name: The name of the entity, which is that of its class.
    ///   - properties: The attributes and relationships, in their order.
    public init(_ name: String, properties: any SchemaProperty...) {
      self.name = name
      subentities = []
      storedProperties = properties
    }

    /// Makes this a subentity of `superentity`, and updates the inherited properties of its own subentities.
    func link(to superentity: Entity) {
      self.superentity = superentity
      superentity.subentities.insert(self)
      inheritedProperties = superentity.properties
      for subentity in subentities { subentity.link(to: self) }
    }

    private func refresh() {
      let all = properties
      let attributes = all.compactMap { $0 as? Attribute }
      let relationships = all.compactMap { $0 as? Relationship }
      self.attributes = Set(attributes)
      self.relationships = Set(relationships)
      attributesByName = Dictionary(attributes.map { ($0.name, $0) }) { _, last in last }
      relationshipsByName = Dictionary(relationships.map { ($0.name, $0) }) { _, last in last }
      storedPropertiesByName = Dictionary(own.map { ($0.name, $0) }) { _, last in last }
      inheritedPropertiesByName = Dictionary(inherited.map { ($0.name, $0) }) { _, last in last }
      let unique = own.filter(\.isUnique).map { [$0.name] }
      uniquenessConstraints += unique.filter { !uniquenessConstraints.contains($0) }
    }

    /// Whether both have the same name, properties, constraints and indexes, and superentities and subentities of the
    /// same names.
    public static func == (lhs: Entity, rhs: Entity) -> Bool {
      lhs === rhs
        || lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
          && Set(lhs.subentities.map(\.name)) == Set(rhs.subentities.map(\.name))
          && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
          && lhs.properties.elementsEqual(rhs.properties) { $0.isEqual(to: $1) }
    }

    /// Feeds the name to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
    }

    /// The name, the constraints and a line for each property.
    public var debugDescription: String {
      var lines = ["Schema.Entity - name: \(name)"]
      if let superentityName { lines.append("  superentity: \(superentityName)") }
      if !subentities.isEmpty { lines.append("  subentities: \(subentities.map(\.name).sorted())") }
      if !uniquenessConstraints.isEmpty { lines.append("  uniquenessConstraints: \(uniquenessConstraints)") }
      if !indices.isEmpty { lines.append("  indices: \(indices)") }
      lines += inherited.map { "  inherited \(String(reflecting: $0))" }
      lines += own.map { "  \(String(reflecting: $0))" }
      return lines.joined(separator: "\n")
    }
  }
}
