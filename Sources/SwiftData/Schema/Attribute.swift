extension Schema {
  /// A property that holds a value.
  ///
  /// The library builds the attributes of a schema from model types once and does not change them afterwards, and your
  /// code must not change them either. That makes it safe to share them between threads. The conformance to `Sendable`
  /// is unchecked, because the properties can be set while an attribute is being put together by hand.
  public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    /// The name of the Swift property.
    public var name: String
    /// The name of the property in an earlier version of the schema; the same as ``name`` when it was not renamed.
    public var originalName: String
    /// The options that are given to `@Attribute`.
    public var options: [Option] {
      didSet { classify() }
    }
    /// The declared type, with its `Optional`.
    ///
    /// A schema that was read from a file has a placeholder type here for every type that it cannot find by its name.
    public var valueType: Any.Type {
      didSet {
        valueTypeName = Schema.simpleName(of: valueType)
        isOptional = valueType is any OptionalValue.Type
        classify()
      }
    }
    /// The initial value of the property.
    ///
    /// A migration gives it to rows that are older than the property.
    public var defaultValue: Any?
    /// Whether the property may be `nil`.
    public var isOptional: Bool
    /// Text that is part of the version hash.
    ///
    /// It makes the hash of a version differ when its shape does not.
    public var hashModifier: String?

    /// How the store keeps the value.
    private(set) var storage: AttributeStorage
    /// The key path from the model, when the attribute was built from one.
    var keyPath: AnyKeyPath?
    /// The name of the type, for comparisons; encoding keeps it.
    var valueTypeName: String

    /// Makes an attribute that has options only.
    ///
    /// The code that `@Attribute` generates calls this initializer. The schema fills in the name and the type.
    ///
    /// - Parameters:
    ///   - options: How the value is stored.
    ///   - originalName: The name of the property in an earlier version, if it had another one.
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

    /// Makes an attribute of a schema that is put together by hand.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - originalName: The name of the property in an earlier version, if it had another one.
    ///   - options: How the value is stored.
    ///   - valueType: The declared type, with its `Optional`.
    ///   - defaultValue: The value that a migration gives to rows that are older than the property.
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

    /// Writes the attribute.
    ///
    /// The type is written as its name, and a default value only when it has a primitive type.
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

    /// Whether both attributes describe the same property.
    ///
    /// Default values are not compared, as they need not be equatable.
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

    /// Whether the value is not stored, because the attribute has the option ``Option/ephemeral``.
    public var isTransient: Bool { options.contains(.ephemeral) }

    /// Whether no two models may have the same value, because the attribute has the option ``Option/unique``.
    public var isUnique: Bool { options.contains(.unique) }

    /// Whether large values are kept in files.
    var isExternal: Bool { options.contains(.externalStorage) && unwrappedType(valueType) == Data.self }

    /// Whether a `ValueTransformer` turns the value into data for the store.
    public var isTransformable: Bool { options.contains { $0.isTransformable } }

    /// Whether the value is stored encoded in one column, because the attribute has the option ``Option/codable``.
    public var isCodable: Bool { options.contains(.codable) }

    /// The attribute's properties in one line.
    public var debugDescription: String {
      "Schema.Attribute - name: \(name), originalName: \(originalName), options: \(options), "
        + "valueType: \(valueTypeName), defaultValue: \(defaultValue.map { "\($0)" } ?? "nil"), "
        + "hashModifier: \(hashModifier ?? "nil")"
    }
  }
}
