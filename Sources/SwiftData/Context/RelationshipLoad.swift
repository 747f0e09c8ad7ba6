extension ModelContext {
  /// One read of a relationship that nobody asked for beforehand.
  public struct RelationshipLoad: Hashable, Sendable {
    /// The model whose property was touched.
    public let persistentModelID: PersistentIdentifier
    /// The property's name.
    public let propertyName: String

    init(of model: any PersistentModel, _ propertyName: String) {
      persistentModelID = model.anyIdentifier
      self.propertyName = propertyName
    }
  }
}
