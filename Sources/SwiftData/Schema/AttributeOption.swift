public import FoundationSupplements

extension Schema.Attribute {
  /// A wish about how an attribute is stored.
  public struct Option: Sendable {
    enum Kind: String, Codable, Sendable {
      case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral, spotlight
      case codable
    }

    let kind: Kind
    /// Which transformer, for a transformable attribute.
    let transformer: TransformerReference?

    private init(_ kind: Kind, transformer: TransformerReference? = nil) {
      self.kind = kind
      self.transformer = transformer
    }

    var isTransformable: Bool {
      kind == .transformable
    }

    /// No two models have the same value. Saving a second one updates the first instead.
    public static var unique: Option { Option(.unique) }

    /// The transformer turns the value into data and back.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(.transformable, transformer: TransformerReference(transformerType))
    }

    /// The transformer that is registered under the name turns the value into data and back.
    public static func transformable(by transformerName: String) -> Option {
      Option(.transformable, transformer: TransformerReference(name: transformerName))
    }

    /// Large data may be kept in a file beside the store.
    public static var externalStorage: Option { Option(.externalStorage) }

    /// The value is encrypted in CloudKit. It has no effect where there is none.
    public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }

    /// The history keeps the value when its model is deleted. This release keeps no history.
    public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }

    /// Changes are tracked, but the value is not stored.
    public static var ephemeral: Option { Option(.ephemeral) }

    /// The value is indexed by Spotlight. It has no effect where there is none.
    public static var spotlight: Option { Option(.spotlight) }

    /// The value is kept encoded in one piece, even where it could have columns.
    public static var codable: Option { Option(.codable) }
  }
}

extension Schema.Attribute.Option: Hashable {
  /// Whether both are the same wish; transformers go by their names.
  public static func == (lhs: Schema.Attribute.Option, rhs: Schema.Attribute.Option) -> Bool {
    lhs.kind == rhs.kind && lhs.transformer?.name == rhs.transformer?.name
  }

  /// Feeds the wish, and the name of its transformer, to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(transformer?.name)
  }
}

extension Schema.Attribute.Option: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, transformer
  }

  /// Reads an option that ``encode(to:)`` wrote. A transformer comes back by its name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    transformer = try container.decodeIfPresent(String.self, forKey: .transformer).map(TransformerReference.init(name:))
  }

  /// Writes the option.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(transformer?.name, forKey: .transformer)
  }
}

extension Schema.Attribute.Option: CustomDebugStringConvertible {
  /// The option as source code spells it.
  public var debugDescription: String {
    transformer.map { "transformable(by: \($0.name))" } ?? kind.rawValue
  }
}
