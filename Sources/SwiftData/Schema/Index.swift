extension Schema {
  /// What `#Index` says about the model type `T`.
  ///
  /// Both kinds are kept as indexes that order their values; there is no separate spatial index.
  public final class Index<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
  where T: PersistentModel {
    /// A kind of index, over properties that it covers together.
    public enum Types<P> where P: PersistentModel {
      /// An index that orders its values.
      case binary([PartialKeyPath<P>])
      /// An index for ranges of numbers in several dimensions.
      case rtree([PartialKeyPath<P>])
    }

    /// The name of the metadata entry.
    public var name = "SwiftData.Schema.Index"
    /// The same as ``name``.
    public var originalName = "SwiftData.Schema.Index"
    /// The model type.
    public var valueType: Any.Type = T.self
    /// The indexes.
    public let indices: [Types<T>]

    /// Always `false`: an index does not constrain.
    public var isUnique: Bool { false }

    /// Indexes of given kinds.
    public init(_ indices: Types<T>...) {
      self.indices = indices
    }

    /// Indexes that order their values, each over the properties that it covers together.
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

    /// Reads what ``encode(to:)`` wrote. It fails when `T` has no such properties.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([Encoded].self, forKey: .indices).map { index in
        let keyPaths = try ConstraintPaths.keyPaths(index.properties, of: T.self, decoder)
        return index.isBinary ? .binary(keyPaths) : .rtree(keyPaths)
      }
    }

    /// Writes the indexes, with names of properties for key paths.
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

    /// The indexes, with names of properties.
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
