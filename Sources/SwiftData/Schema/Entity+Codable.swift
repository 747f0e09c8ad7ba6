extension Schema.Entity {
  private enum CodingKeys: String, CodingKey {
    case name, superentityName, subentities, storedProperties, inheritedProperties, uniquenessConstraints, indices
    case attributes, storedAttributes
  }

  /// The user info key of an encoder that writes into a store, which needs no repeated attributes.
  static let storeKey = CodingUserInfoKey(rawValue: "isForStore").unsafelyUnwrapped

  /// Reads an entity that ``encode(to:)`` wrote, and its subentities.
  ///
  /// These entities have no model types.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(String.self, forKey: .name))
    superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
    inheritedProperties = try container.decode([EncodedProperty].self, forKey: .inheritedProperties).map(\.property)
    storedProperties = try container.decode([EncodedProperty].self, forKey: .storedProperties).map(\.property)
    uniquenessConstraints = try container.decode([[String]].self, forKey: .uniquenessConstraints)
    indices = try container.decode([[String]].self, forKey: .indices)
    for subentity in try container.decode([Schema.Entity].self, forKey: .subentities) { subentity.link(to: self) }
  }

  /// Writes the entity and its subentities.
  ///
  /// `attributes` repeats all attributes, and `storedAttributes` the entity's own, for programs that read Apple's schemas.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(superentityName, forKey: .superentityName)
    try container.encode(inheritedProperties.map(EncodedProperty.init), forKey: .inheritedProperties)
    try container.encode(storedProperties.map(EncodedProperty.init), forKey: .storedProperties)
    if encoder.userInfo[Self.storeKey] == nil {
      let (inherited, stored) = (
        inheritedProperties.compactMap { $0 as? Schema.Attribute },
        storedProperties.compactMap { $0 as? Schema.Attribute }
      )
      try container.encode(inherited + stored, forKey: .attributes)
      try container.encode(stored, forKey: .storedAttributes)
    }
    try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
    try container.encode(indices, forKey: .indices)
    try container.encode(subentities.sorted { $0.name < $1.name }, forKey: .subentities)
  }
}
