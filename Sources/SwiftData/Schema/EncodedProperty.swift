/// A property in a schema file, with its kind.
struct EncodedProperty: Codable {
  private enum Kind: String, Codable {
    case attribute, composite, relationship
  }

  private enum CodingKeys: String, CodingKey {
    case kind, property
  }

  let property: any SchemaProperty

  init(_ property: any SchemaProperty) {
    self.property = property
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type: any SchemaProperty.Type =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .attribute: Schema.Attribute.self
      case .composite: Schema.CompositeAttribute.self
      case .relationship: Schema.Relationship.self
      }
    property = try container.decode(type, forKey: .property)
  }

  func encode(to encoder: any Encoder) throws {
    let kind: Kind
    switch property {
    case is Schema.CompositeAttribute: kind = .composite
    case is Schema.Attribute: kind = .attribute
    case is Schema.Relationship: kind = .relationship
    default:
      throw EncodingError.invalidValue(
        property,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "\(type(of: property)) cannot be in a schema file"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(property, forKey: .property)
  }
}
