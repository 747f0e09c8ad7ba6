extension Schema {
  /// A hash of the shape, equal in every process. Schemas with equal hashes can read each other's stores.
  var versionHash: String {
    ShapeHash.of(entities.map { "\($0.name)=\($0.versionHash)" }.sorted())
  }
}

extension Schema.Entity {
  /// A hash of the shape: names, types, optionality, uniqueness and the destinations and inverses of relationships.
  ///
  /// It does not include what has no effect on rows: default values, delete rules, indexes, the order of the source,
  /// original names. Types have their simple names, so that they can move between the versions of a schema.
  var versionHash: String {
    let properties = storedProperties.map(\.shape)
    let unique = uniquenessConstraints.map { "unique " + $0.joined(separator: ",") }
    return ShapeHash.of([name, superentityName ?? ""] + properties.sorted() + unique.sorted())
  }
}

extension SchemaProperty {
  /// The text that the hash includes.
  var shape: String {
    switch self {
    case let attribute as Schema.Attribute: attribute.attributeShape
    case let relationship as Schema.Relationship: relationship.relationshipShape
    default: name
    }
  }
}

extension Schema.Attribute {
  /// Fields are in their order, which is the order of their columns.
  fileprivate var attributeShape: String {
    let fields = ((self as? Schema.CompositeAttribute)?.properties ?? []).map(\.attributeShape)
    let storage = options.filter { [.ephemeral, .codable].contains($0) || $0.isTransformable }
      .map(\.debugDescription).sorted()
    return "\(name):\(valueTypeName):\(isOptional):\(storage):\(fields):\(hashModifier ?? "")"
  }
}

extension Schema.Relationship {
  fileprivate var relationshipShape: String {
    "\(name)->\(destination):\(isToOneRelationship):\(isOptional):\(inverseName ?? ""):\(hashModifier ?? "")"
  }
}

/// FNV-1a in 64 bits: enough to distinguish shapes, and equal in every process and release.
private enum ShapeHash {
  static func of(_ parts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      // The zero distinguishes ["ab", "c"] from ["a", "bc"].
      for byte in part.utf8 + [0] {
        hash ^= UInt64(byte)
        hash = hash &* 0x100_0000_01b3
      }
    }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
