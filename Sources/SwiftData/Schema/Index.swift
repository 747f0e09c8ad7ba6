extension Schema {
  /// The indexes of the model type `T` that `#Index` declares.
  ///
  /// Both kinds are kept as ordinary, ordered indexes; there is no separate spatial index.
  public final class Index<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
  where T: PersistentModel {
    /// An index of one of two kinds, with the properties that it covers together.
    public enum Types<P> where P: PersistentModel {
      /// An ordered index.
      case binary([PartialKeyPath<P>])
      /// An index for ranges of numbers in several dimensions.
      ///
      /// It is kept as an ordered index.
      case rtree([PartialKeyPath<P>])
    }

    /// The name of the entry in the metadata of the model.
    public var name = "SwiftData.Schema.Index"
    /// The same as ``name``.
    public var originalName = "SwiftData.Schema.Index"
    /// The model type.
    public var valueType: Any.Type = T.self
    /// The indexes.
    public let indices: [Types<T>]

    /// Always `false`: an index does not constrain values.
    public var isUnique: Bool { false }

    /// Makes indexes of the given kinds.
    public init(_ indices: Types<T>...) {
      self.indices = indices
    }

    /// Makes ordered indexes, each over the properties that it covers together.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) {
      indices = binaryIndices.map(Types.binary)
    }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey {
      /// The indexes.
      case indices
    }

    private struct Encoded: Codable {
      let isBinary: Bool
      let properties: [String]
    }

    /// Reads indexes that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when `T` does not declare one of the properties.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([Encoded].self, forKey: .indices).map { index in
        let keyPaths = try ConstraintPaths.keyPaths(index.properties, of: T.self, decoder)
        return index.isBinary ? .binary(keyPaths) : .rtree(keyPaths)
      }
    }

    /// Writes the indexes, with the names of properties in place of key paths.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let indices = indices.map { index in
        Encoded(isBinary: index.isBinary, properties: ConstraintPaths.names(index.keyPaths, of: T.self))
      }
      try container.encode(indices, forKey: .indices)
    }

    /// Whether both list the same indexes in the same order.
    public static func == (lhs: Index<T>, rhs: Index<T>) -> Bool {
      lhs.indices.elementsEqual(rhs.indices) { $0.keyPaths == $1.keyPaths && $0.isBinary == $1.isBinary }
    }

    /// Feeds the key paths to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(indices.map(\.keyPaths))
    }

    /// The indexes, with the names of their properties.
    public var debugDescription: String {
      let descriptions = indices.map {
        "\($0.isBinary ? "binary" : "rtree")(\(ConstraintPaths.names($0.keyPaths, of: T.self)))"
      }
      return "Schema.Index<\(Schema.simpleName(of: T.self))> - \(descriptions.joined(separator: ", "))"
    }
  }
}

extension Schema.Index.Types {
  var keyPaths: [PartialKeyPath<P>] {
    switch self {
    case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
    }
  }

  var isBinary: Bool {
    if case .binary = self { true } else { false }
  }
}

extension Schema.Index: ConstraintMetadata {
  var keyPathLists: [[AnyKeyPath]] {
    indices.map(\.keyPaths)
  }
}
