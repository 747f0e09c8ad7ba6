extension PersistentModel {
  /// The class that this one inherits from, when that is a model. When it is none, none further up is one either.
  static var modelSuperclass: (any PersistentModel.Type)? {
    superclass(of: Self.self) as? any PersistentModel.Type
  }
}
