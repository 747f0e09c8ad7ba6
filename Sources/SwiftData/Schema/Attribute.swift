extension Schema {
  /// A property that holds a value.
  ///
  /// The attributes of a schema that was built from model types are made once and not changed afterwards, by the
  /// library or, it is expected, by anybody else. That is what makes sharing them between threads safe, and why the
  /// conformance to `Sendable` is unchecked: the properties can be set while an attribute is being put together.
  public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    /// The name of the Swift property.
    public var name: String
    /// The name in the version before; the same as ``name`` when the property was not renamed.
    public var originalName: String
    /// What was asked for in `@Attribute`.
    public var options: [Option] {
      didSet { classify() }
    }
    /// The declared type, with its `Optional`. A schema read from a file has a stand-in here for a type that it does not
    /// know.
    public var valueType: Any.Type {
      didSet {
        valueTypeName = Schema.simpleName(of: valueType)
        isOptional = valueType is any OptionalValue.Type
        classify()
      }
    }
    /// The property's initial value: what rows get that are older than the property.
    public var defaultValue: Any?
    /// Whether the property may be `nil`.
    public var isOptional: Bool
    /// Text that goes into the version hash, to make a version count as new though its shape is the old one.
    public var hashModifier: String?

    /// How the store keeps the value.
    private(set) var storage: AttributeStorage
    /// The key path from the model, when the attribute was built from one.
    var keyPath: AnyKeyPath?
    /// The name that stands for the type in comparisons; it outlives encoding.
    var valueTypeName: String

    /// The options of a property whose name and type its schema will fill in. `@Attribute` comes down to this.
    ///
    /// - Parameters:
    ///   - options: How the value is stored.
    ///   - originalName: The name of the property in the version before, if it had another one.
    ///   - hashModifier: Text that makes the version hash differ.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      valueTypeName = ""
      isOptional = false
      self.hashModifier = hashModifier
      storage = .unsupported
    }

    /// An attribute of a schema that is put together by hand.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - originalName: The name in the version before, if it was another one.
    ///   - options: How the value is stored.
    ///   - valueType: The declared type, with its `Optional`.
    ///   - defaultValue: What rows get that are older than the property.
    ///   - hashModifier: Text that makes the version hash differ.
    public init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.valueType = valueType
      valueTypeName = Schema.simpleName(of: valueType)
      isOptional = valueType is any OptionalValue.Type
      self.defaultValue = defaultValue
      self.hashModifier = hashModifier
      storage = AttributeStorage(valueType: valueType, options: options)
    }

    /// Reads an attribute that ``encode(to:)`` wrote.
    public required init(from decoder: any Decoder) throws {
      let values = try EncodedAttribute(from: decoder)
      name = values.name
      originalName = values.originalName
      options = values.options
      valueType = values.valueType.type
      valueTypeName = values.valueType.name
      isOptional = values.isOptional
      hashModifier = values.hashModifier
      defaultValue = values.defaultValue?.value
      storage = AttributeStorage(valueType: values.valueType.type, options: values.options)
    }

    /// Writes the attribute. The type goes by its name, and the default value if it is of a primitive type.
    public func encode(to encoder: any Encoder) throws {
      try EncodedAttribute(self).encode(to: encoder)
    }

    private func classify() {
      storage = AttributeStorage(valueType: valueType, options: options)
    }

    func isEqual(to other: Attribute) -> Bool {
      type(of: self) == type(of: other) && name == other.name && originalName == other.originalName
        && options == other.options && valueTypeName == other.valueTypeName && isOptional == other.isOptional
        && hashModifier == other.hashModifier
    }

    /// Whether both attributes describe the same property. Default values do not count, as they need not be comparable.
    public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
      lhs.isEqual(to: rhs)
    }

    /// Feeds the name and the name of the type to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(valueTypeName)
    }

    /// Always `true`.
    public var isAttribute: Bool { true }

    /// Always `false`.
    public var isRelationship: Bool { false }

    /// Whether the value stays out of the store: ``Option/ephemeral`` says so.
    public var isTransient: Bool { options.contains(.ephemeral) }

    /// Whether no two models may have the same value: ``Option/unique`` says so.
    public var isUnique: Bool { options.contains(.unique) }

    /// Whether a `ValueTransformer` makes the value storable.
    public var isTransformable: Bool { options.contains { $0.isTransformable } }

    /// Whether the value is kept encoded in one piece: ``Option/codable`` says so.
    public var isCodable: Bool { options.contains(.codable) }

    /// The attribute's properties in one line.
    public var debugDescription: String {
      "Schema.Attribute - name: \(name), originalName: \(originalName), options: \(options), "
        + "valueType: \(valueTypeName), defaultValue: \(defaultValue.map { "\($0)" } ?? "nil"), "
        + "hashModifier: \(hashModifier ?? "nil")"
    }
  }
}
