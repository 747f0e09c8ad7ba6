extension Schema {
  /// Tells schemas apart by their shape, alike in every process: two schemas with one hash read each other's stores.
  var versionHash: String {
    ShapeHash.of(entities.map { "\($0.name)=\($0.versionHash)" }.sorted())
  }
}

extension Schema.Entity {
  /// Tells entities apart by their shape. Default values, delete rules and indexes do not count.
  var versionHash: String {
    let properties = storedProperties.map { property -> String in
      if let attribute = property as? Schema.Attribute {
        let fields = ((attribute as? Schema.CompositeAttribute)?.properties ?? [])
          .map { "\($0.name):\($0.valueTypeName)" }
        return "\(attribute.name):\(attribute.valueTypeName):\(attribute.isOptional):\(attribute.isTransient)"
          + ":\(fields):\(attribute.hashModifier ?? "")"
      }
      if let relationship = property as? Schema.Relationship {
        return "\(relationship.name)->\(relationship.destination):\(relationship.isToOneRelationship)"
          + ":\(relationship.isOptional):\(relationship.inverseName ?? ""):\(relationship.hashModifier ?? "")"
      }
      return property.name
    }
    let unique = uniquenessConstraints.map { $0.joined(separator: ",") }.sorted()
    return ShapeHash.of([name, superentityName ?? ""] + properties.sorted() + unique)
  }
}

/// FNV-1a in 64 bits: enough to tell shapes apart, and the same in every process and release.
private enum ShapeHash {
  static func of(_ parts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.utf8 + [0] {
        hash ^= UInt64(byte)
        hash = hash &* 0x100_0000_01b3
      }
    }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
