extension Schema {
  /// A property that refers to models.
  ///
  /// The library builds the relationships of a schema from model types once and does not change them afterwards, and
  /// your code must not change them either. That makes it safe to share them between threads. The conformance to
  /// `Sendable` is unchecked, because the properties can be set while a relationship is being put together by hand.
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    /// The name of the Swift property.
    public var name: String
    /// The name of the property in an earlier version of the schema; the same as ``name`` when it was not renamed.
    public var originalName: String
    /// The key path from the model to the property.
    public var keypath: AnyKeyPath?
    /// The options that are given to `@Relationship`.
    public var options: [Option]
    /// The declared type: a model, an array of models, or an `Optional` of one of them.
    ///
    /// A schema that was read from a file has a placeholder type here.
    public var valueType: Any.Type {
      didSet { describeType() }
    }
    /// The name of the destination entity.
    public var destination: String
    /// What happens to the models on the other side when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The name of the inverse relationship; `nil` for a one-way relationship.
    public var inverseName: String?
    /// The key path of the inverse relationship.
    ///
    /// A relationship whose written inverse is that of another one keeps the key path, and has no ``inverseName``.
    public var inverseKeyPath: AnyKeyPath?
    /// The smallest number of related models that a save accepts; zero or `nil` for no limit.
    ///
    /// It applies to a to-many only. It is `nil` for a property without `@Relationship`, and zero for one whose
    /// `@Relationship` does not give it.
    public var minimumModelCount: Int?
    /// The largest number of related models that a save accepts; zero or `nil` for no limit.
    ///
    /// It applies to a to-many only. It is `nil` for a property without `@Relationship`, and zero for one whose
    /// `@Relationship` does not give it.
    public var maximumModelCount: Int?
    /// Text that is part of the version hash.
    ///
    /// It makes the hash of a version differ when its shape does not.
    public var hashModifier: String?

    /// The name of the type, for comparisons; encoding keeps it.
    var valueTypeName: String
    var hasOptionalType: Bool
    /// Whether the relationship has one target at most.
    public private(set) var isToOneRelationship: Bool
    /// The destination model type.
    private(set) var destinationType: (any PersistentModel.Type)?
    /// Whether `inverse: nil` was written: the relationship has no inverse, and none is inferred.
    private(set) var isOneWay = false

    /// Makes a relationship without a name and a type.
    ///
    /// The code that `@Relationship` generates calls this initializer. The schema fills in the name and the type.
    ///
    /// - Parameters:
    ///   - options: The options of the relationship.
    ///   - deleteRule: What happens to the models on the other side when the owner is deleted.
    ///   - minimumModelCount: The smallest number of models in a to-many; zero or `nil` for no limit.
    ///   - maximumModelCount: The largest number of models in a to-many; zero or `nil` for no limit.
    ///   - originalName: The name of the property in an earlier version, if it had another one.
    ///   - inverse: The key path of the inverse relationship. When it is omitted, the inverse is inferred.
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

    /// Makes a one-way relationship, without inferring an inverse.
    ///
    /// The compiler chooses this initializer when the source code has `inverse: nil`, and the other one when the
    /// argument is a key path or is omitted.
    ///
    /// - Parameters:
    ///   - options: Options of the relationship.
    ///   - deleteRule: What happens to the related models when the owner is deleted.
    ///   - minimumModelCount: The smallest number of related models; zero or nil for no limit.
    ///   - maximumModelCount: The largest number of related models; zero or nil for no limit.
    ///   - originalName: The name of the property in an earlier version, if it had another one.
    ///   - inverse: `nil`.
    ///   - hashModifier: Text that makes the version hash differ.
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
