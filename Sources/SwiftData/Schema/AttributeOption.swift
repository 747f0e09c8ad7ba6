#if FoundationValueTransformer
  public import Foundation
#else
  public import FoundationSupplements
#endif

extension Schema.Attribute {
  /// An option of an attribute, which determines how its value is stored.
  public struct Option: Sendable {
    enum Kind: String, Codable, Sendable {
      case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral, spotlight
      case codable
    }

    let kind: Kind
    /// The transformer of a transformable attribute.
    let transformer: TransformerReference?

    private init(_ kind: Kind, transformer: TransformerReference? = nil) {
      self.kind = kind
      self.transformer = transformer
    }

    var isTransformable: Bool {
      kind == .transformable
    }

    /// No two models have the same value.
    ///
    /// When an inserted model has the value of a row, the save updates that row. When a saved model is given a value
    /// that another row keeps, the save throws.
    public static var unique: Option { Option(.unique) }

    /// A transformer of the given class turns the value into data and back.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(.transformable, transformer: TransformerReference(transformerType))
    }

    /// The transformer that is registered under a name turns the value into data and back.
    ///
    /// The transformer must be registered before the container is made, unless the name is that of its class, written
    /// `Module.Class`.
    public static func transformable(by transformerName: String) -> Option {
      Option(.transformable, transformer: TransformerReference(name: transformerName))
    }

    /// A value of more than 128 KiB is kept in a file beside the store.
    ///
    /// This is a hint for properties of type `Data` or `Data?`, which cannot be ``unique`` then. It has no effect on values
    /// of other types. A store in memory keeps all values in memory.
    public static var externalStorage: Option { Option(.externalStorage) }

    /// The value is encrypted in CloudKit.
    ///
    /// The option is accepted and has no effect.
    public static var allowsCloudEncryption: Option { Option(.allowsCloudEncryption) }

    /// The history keeps the value when its model is deleted.
    ///
    /// The value is the last one that was saved: see ``HistoryDelete/tombstone``. A value in a file of its own is kept as
    /// well, and makes the record as large as the value.
    public static var preserveValueOnDeletion: Option { Option(.preserveValueOnDeletion) }

    /// The value is not stored, but its changes are tracked.
    public static var ephemeral: Option { Option(.ephemeral) }

    /// The text is indexed for searches.
    ///
    /// `contains`, `starts(with:)` and `localizedStandardContains` in predicates find rows by the index, and the same rows
    /// as without it: see <doc:Predicates>. The option has this effect on properties of type `String` and `String?`, and
    /// on such properties of a structure that is stored in columns. It has none on others.
    ///
    /// With Apple's framework the option passes values to Spotlight, which Linux does not have.
    public static var spotlight: Option { Option(.spotlight) }

    /// The value is stored encoded in one column, even when it is a struct that could have a column for each field.
    public static var codable: Option { Option(.codable) }
  }
}

extension Schema.Attribute.Option: Hashable {
  /// Whether both are the same option.
  ///
  /// Transformers are compared by their names.
  public static func == (lhs: Schema.Attribute.Option, rhs: Schema.Attribute.Option) -> Bool {
    lhs.kind == rhs.kind && lhs.transformer?.name == rhs.transformer?.name
  }

  /// Feeds the option and the name of its transformer to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(transformer?.name)
  }
}

extension Schema.Attribute.Option: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, transformer
  }

  /// Reads an option that ``encode(to:)`` wrote.
  ///
  /// A transformer is found by its name.
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
