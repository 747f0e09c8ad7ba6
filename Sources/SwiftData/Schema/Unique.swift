extension Schema {
  /// The uniqueness constraints of the model type `T` that `#Unique` declares.
  public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
  where T: PersistentModel {
    /// The name of the entry in the metadata of the model.
    public var name = "SwiftData.Schema.Unique"
    /// The same as ``name``.
    public var originalName = "SwiftData.Schema.Unique"
    /// The model type.
    public var valueType: Any.Type = T.self
    /// The combinations of properties whose values no two models may share.
    public let constraints: [[PartialKeyPath<T>]]

    /// Always `true`.
    public var isUnique: Bool { true }

    /// Makes constraints, each over a combination of properties.
    public init(_ constraints: [PartialKeyPath<T>]...) {
      self.constraints = constraints
    }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey {
      /// The constraints.
      case constraints
    }

    /// Reads constraints that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when `T` does not declare one of the properties.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      constraints = try container.decode([[String]].self, forKey: .constraints).map {
        try ConstraintPaths.keyPaths($0, of: T.self, decoder)
      }
    }

    /// Writes the constraints, with the names of properties in place of key paths.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(constraints.map { ConstraintPaths.names($0, of: T.self) }, forKey: .constraints)
    }

    /// Whether both list the same constraints in the same order.
    public static func == (lhs: Unique<T>, rhs: Unique<T>) -> Bool {
      lhs.constraints == rhs.constraints
    }

    /// Feeds the key paths to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(constraints)
    }

    /// The constraints, with the names of their properties.
    public var debugDescription: String {
      let names = constraints.map { ConstraintPaths.names($0, of: T.self) }
      return "Schema.Unique<\(Schema.simpleName(of: T.self))> - \(names)"
    }
  }
}

extension Schema.Unique: ConstraintMetadata {
  var keyPathLists: [[AnyKeyPath]] {
    constraints
  }
}
