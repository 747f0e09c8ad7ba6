extension PersistentModel {
  /// The superclass, if it is a model. Otherwise no class above it is a model.
  static var modelSuperclass: (any PersistentModel.Type)? {
    superclass(of: Self.self) as? any PersistentModel.Type
  }
}
