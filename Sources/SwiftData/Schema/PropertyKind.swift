/// The kind of a property, by its declared type.
enum PropertyKind {
  case attribute
  case toOne(any PersistentModel.Type)
  case toMany(any PersistentModel.Type)

  init(valueType: Any.Type) {
    let wrapped = unwrappedType(valueType)
    if let model = wrapped as? any PersistentModel.Type {
      self = .toOne(model)
    } else if let collection = (wrapped as? any RelationshipCollection.Type)
      ?? (valueType as? any RelationshipCollection.Type)
    {
      self = .toMany(Self.element(of: collection))
    } else {
      self = .attribute
    }
  }

  private static func element<Collection: RelationshipCollection>(
    of type: Collection.Type
  ) -> any PersistentModel.Type {
    Collection.PersistentElement.self
  }

  var destination: (any PersistentModel.Type)? {
    switch self {
    case .attribute: nil
    case .toOne(let type), .toMany(let type): type
    }
  }
}
