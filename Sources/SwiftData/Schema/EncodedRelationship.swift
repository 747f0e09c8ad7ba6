/// A relationship in a schema file.
struct EncodedRelationship: Codable, Equatable {
  let name: String
  let originalName: String
  let options: [Schema.Relationship.Option]
  let valueType: String
  let isOptional: Bool
  let isToOne: Bool
  let isOneWay: Bool
  let destination: String
  let deleteRule: Schema.Relationship.DeleteRule
  let inverseName: String?
  let minimumModelCount: Int?
  let maximumModelCount: Int?
  let hashModifier: String?

  init(_ relationship: Schema.Relationship) {
    name = relationship.name
    originalName = relationship.originalName
    options = relationship.options
    valueType = relationship.valueTypeName
    isOptional = relationship.isOptional
    isToOne = relationship.isToOneRelationship
    isOneWay = relationship.isOneWay
    destination = relationship.destination
    deleteRule = relationship.deleteRule
    inverseName = relationship.inverseName
    minimumModelCount = relationship.minimumModelCount
    maximumModelCount = relationship.maximumModelCount
    hashModifier = relationship.hashModifier
  }
}
