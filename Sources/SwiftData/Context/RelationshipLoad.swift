extension ModelContext {
  /// A read of a relationship that happened because code touched it, without a fetch that named it beforehand.
  public struct RelationshipLoad: Hashable, Sendable {
    /// The identifier of the model whose relationship was touched.
    public let persistentModelID: PersistentIdentifier
    /// The name of the relationship property.
    public let propertyName: String

    init(of model: any PersistentModel, _ propertyName: String) {
      persistentModelID = model.anyIdentifier
      self.propertyName = propertyName
    }
  }
}
