/// The type inside one layer of `Optional`, or the type itself.
func unwrappedType(_ type: Any.Type) -> Any.Type {
  (type as? any OptionalValue.Type)?.wrappedType ?? type
}

/// How a property's declared type makes it behave.
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

extension PersistentModel {
  /// The nearest class above this one that is a model itself.
  static var modelSuperclass: (any PersistentModel.Type)? {
    var current: AnyClass? = _getSuperclass(Self.self)
    while let type = current {
      if let model = type as? any PersistentModel.Type { return model }
      current = _getSuperclass(type)
    }
    return nil
  }
}

extension Schema {
  /// The simple name of a type, without its module and the types around it.
  static func simpleName(of type: Any.Type) -> String {
    String(describing: type)
  }
}
