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

extension ModelContext {
  /// A read of a row or of a relationship that happened because code touched a property.
  package struct LazyLoad {
    package let persistentModelID: PersistentIdentifier
    /// The name of the property that code touched.
    package let propertyName: String
    /// Whether the relationship was read, and not the row that has the property.
    package let isRelationship: Bool
    /// How many models the read serves.
    package let modelCount: Int
  }

  /// A closure that the context calls just before a lazy load. The closure must not touch models.
  package var lazyLoadHandler: ((LazyLoad) -> Void)? {
    get { graph.lazyLoadHandler }
    set { graph.lazyLoadHandler = newValue }
  }
}
