extension Schema {
  /// The type of a `nil` written after `inverse:`. It has no other value.
  public struct _NoInverse: ExpressibleByNilLiteral {
    /// The value of a written `nil`.
    public init(nilLiteral: ()) {}
  }
}

extension Schema.Relationship {
  /// Whether no two models may refer to the same model, because the relationship has the option ``Option/unique``.
  public var isUnique: Bool { options.contains(.unique) }

  /// Always `false`.
  public var isAttribute: Bool { false }

  /// Always `true`.
  public var isRelationship: Bool { true }

  /// Always `false`.
  public var isTransient: Bool { false }

  /// Whether the declared type is an `Optional`.
  public var isOptional: Bool { hasOptionalType }

  /// Whether both relationships describe the same property.
  ///
  /// Properties are compared by name, not by key path.
  public static func == (lhs: Schema.Relationship, rhs: Schema.Relationship) -> Bool {
    lhs === rhs || EncodedRelationship(lhs) == EncodedRelationship(rhs)
  }

  /// Feeds the name and the name of the destination to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(destination)
  }

  /// Reads a relationship that ``encode(to:)`` wrote.
  ///
  /// It has the names of properties, but no key paths.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try EncodedRelationship(from: decoder))
  }

  /// Writes the relationship, with the names of properties in place of key paths.
  public func encode(to encoder: any Encoder) throws {
    try EncodedRelationship(self).encode(to: encoder)
  }

  /// The relationship's properties in one line.
  public var debugDescription: String {
    "Schema.Relationship - name: \(name), originalName: \(originalName), options: \(options), "
      + "valueType: \(valueTypeName), destination: \(destination), inverseName: \(inverseName ?? "nil"), "
      + "deleteRule: \(deleteRule), minimumModelCount: \(minimumModelCount.map(String.init) ?? "nil"), "
      + "maximumModelCount: \(maximumModelCount.map(String.init) ?? "nil"), hashModifier: \(hashModifier ?? "nil")"
  }
}
