extension ModelContext {
  /// A read of a relationship by an access, without a fetch that prefetched it.
  public struct RelationshipLoad: Hashable, Sendable {
    /// The identifier of the model whose relationship was accessed.
    public let persistentModelID: PersistentIdentifier
    /// The name of the relationship property.
    public let propertyName: String

    init(of model: any PersistentModel, _ propertyName: String) {
      persistentModelID = model.anyIdentifier
      self.propertyName = propertyName
    }
  }
}
