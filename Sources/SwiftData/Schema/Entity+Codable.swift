extension Schema.Entity {
  private enum CodingKeys: String, CodingKey {
    case name, superentityName, subentities, storedProperties, inheritedProperties, uniquenessConstraints, indices
  }

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
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(superentityName, forKey: .superentityName)
    try container.encode(inheritedProperties.map(EncodedProperty.init), forKey: .inheritedProperties)
    try container.encode(storedProperties.map(EncodedProperty.init), forKey: .storedProperties)
    try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
    try container.encode(indices, forKey: .indices)
    try container.encode(subentities.sorted { $0.name < $1.name }, forKey: .subentities)
  }
}
