extension Schema {
  /// An attribute whose type is a struct with a column for each field.
  ///
  /// Predicates can therefore use the fields in the database. Like every ``Schema/Attribute``, it must not be changed
  /// once it is part of a schema.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    /// An attribute for each stored property of the struct, in the order of their declarations.
    public var properties: [Attribute]

    /// Makes a composite attribute of a schema that is put together by hand.
    ///
    /// The fields are taken from the type.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - originalName: The name of the property in an earlier version, if it had another one.
    ///   - options: How the value is stored.
    ///   - valueType: The declared type, with its `Optional`.
    ///   - defaultValue: The value that a migration gives to rows that are older than the property.
    ///   - hashModifier: Text that makes the version hash differ.
    public override init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      properties = []
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType, defaultValue: defaultValue,
        hashModifier: hashModifier)
      properties = storage.fields.map { Attribute.make(name: $0.name, valueType: $0.valueType) }
    }

    private enum CodingKeys: String, CodingKey {
      case properties
    }

    /// Reads an attribute that ``encode(to:)`` wrote.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode([EncodedProperty].self, forKey: .properties).compactMap {
        $0.property as? Attribute
      }
      try super.init(from: decoder)
    }

    /// Writes the attribute with its fields.
    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(properties.map(EncodedProperty.init), forKey: .properties)
    }

    override func isEqual(to other: Attribute) -> Bool {
      super.isEqual(to: other) && (other as? CompositeAttribute)?.properties == properties
    }

    /// Whether both attributes describe the same property with the same fields.
    public static func == (lhs: CompositeAttribute, rhs: CompositeAttribute) -> Bool {
      lhs.isEqual(to: rhs)
    }

    /// The attribute's properties, and one line for each field.
    public override var debugDescription: String {
      super.debugDescription + properties.map { "\n  \($0.debugDescription)" }.joined()
    }
  }
}

extension Schema.Attribute {
  /// An attribute, composite when the type's storage is.
  static func make(
    name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type, defaultValue: Any? = nil,
    hashModifier: String? = nil
  ) -> Schema.Attribute {
    AttributeStorage(valueType: valueType, options: options).fields.isEmpty
      ? Schema.Attribute(
        name: name, originalName: originalName, options: options, valueType: valueType, defaultValue: defaultValue,
        hashModifier: hashModifier)
      : Schema.CompositeAttribute(
        name: name, originalName: originalName, options: options, valueType: valueType, defaultValue: defaultValue,
        hashModifier: hashModifier)
  }
}
