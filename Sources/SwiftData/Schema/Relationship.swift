extension Schema {
  /// A property that refers to models.
  ///
  /// The relationships of a schema that was built from model types are made once and not changed afterwards, by the
  /// library or, it is expected, by anybody else. That is what makes sharing them between threads safe, and why the
  /// conformance to `Sendable` is unchecked: the properties can be set while a relationship is being put together.
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    /// The name of the Swift property.
    public var name: String
    /// The name in the version before; the same as ``name`` when the property was not renamed.
    public var originalName: String
    /// The key path from the model to the property.
    public var keypath: AnyKeyPath?
    /// What was asked for in `@Relationship`.
    public var options: [Option]
    /// The declared type: a model, an array of models, or one of the two as an `Optional`. A schema read from a file has
    /// a stand-in here.
    public var valueType: Any.Type {
      didSet { describeType() }
    }
    /// The name of the entity that the relationship leads to.
    public var destination: String
    /// What happens to the models on the other side when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The name of the relationship that leads back; `nil` for a one-way relationship.
    public var inverseName: String?
    /// The key path of the relationship that leads back.
    public var inverseKeyPath: AnyKeyPath?
    /// How many models there must be at least when the owner is saved; zero or `nil` for any number.
    public var minimumModelCount: Int?
    /// How many models there may be at most when the owner is saved; zero or `nil` for any number.
    public var maximumModelCount: Int?
    /// Text that goes into the version hash, to make a version count as new though its shape is the old one.
    public var hashModifier: String?

    /// The name that stands for the type in comparisons; it outlives encoding.
    var valueTypeName: String
    var hasOptionalType: Bool
    /// Whether there is one model at most on the other side.
    public private(set) var isToOneRelationship: Bool
    /// The model type that the relationship leads to.
    private(set) var destinationType: (any PersistentModel.Type)?
    /// Whether `inverse: nil` was written: no relationship leads back, and none shall be looked for.
    private(set) var isOneWay = false

    /// What `@Relationship` says about a property whose name and type its schema will fill in.
    ///
    /// - Parameters:
    ///   - options: What holds for the relationship.
    ///   - deleteRule: What happens to the models on the other side when the owner is deleted.
    ///   - minimumModelCount: How many models there must be at least; zero or `nil` for any number.
    ///   - maximumModelCount: How many models there may be at most; zero or `nil` for any number.
    ///   - originalName: The name of the property in the version before, if it had another one.
    ///   - inverse: The relationship that leads back. Left out, it is looked for.
    ///   - hashModifier: Text that makes the version hash differ.
    @_disfavoredOverload
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
    ) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      valueTypeName = ""
      hasOptionalType = false
      isToOneRelationship = true
      destination = ""
      self.deleteRule = deleteRule
      inverseKeyPath = inverse
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
    }

    /// The relationship with `inverse: nil` written out: it is one-way, and no inverse is looked for.
    ///
    /// A written `nil` prefers this initialiser, a key path fits the other one only.
    public convenience init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: _NoInverse, hashModifier: String? = nil
    ) {
      self.init(
        deleteRule: deleteRule, minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
        originalName: originalName, hashModifier: hashModifier)
      self.options = options
      isOneWay = true
    }

    /// A copy of `template` for the property of a model.
    init(_ template: Relationship, name: String, keyPath: AnyKeyPath) {
      self.name = name
      originalName = template.originalName.isEmpty ? name : template.originalName
      keypath = keyPath
      options = template.options
      valueType = type(of: keyPath).valueType
      valueTypeName = ""
      hasOptionalType = false
      isToOneRelationship = true
      destination = ""
      deleteRule = template.deleteRule
      inverseKeyPath = template.inverseKeyPath
      minimumModelCount = template.minimumModelCount
      maximumModelCount = template.maximumModelCount
      hashModifier = template.hashModifier
      isOneWay = template.isOneWay
      describeType()
    }

    init(_ values: EncodedRelationship) {
      name = values.name
      originalName = values.originalName
      options = values.options
      valueType = EncodedType.Unknown.self
      valueTypeName = values.valueType
      hasOptionalType = values.isOptional
      isToOneRelationship = values.isToOne
      destination = values.destination
      deleteRule = values.deleteRule
      inverseName = values.inverseName
      minimumModelCount = values.minimumModelCount
      maximumModelCount = values.maximumModelCount
      hashModifier = values.hashModifier
      isOneWay = values.isOneWay
    }

    private func describeType() {
      valueTypeName = Schema.simpleName(of: valueType)
      hasOptionalType = valueType is any OptionalValue.Type
      let kind = PropertyKind(valueType: valueType)
      destinationType = kind.destination
      if let destinationType { destination = Schema.simpleName(of: destinationType) }
      if case .toMany = kind { isToOneRelationship = false } else { isToOneRelationship = true }
    }
  }
}
