extension Schema {
  /// What `@Model` writes down about one property. A schema is built from the list of them that a model type has.
  ///
  /// The entries that stand for `#Index` and `#Unique` have a key path into ``Schema`` instead of one into the model.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

    /// An entry of a model's metadata.
    ///
    /// - Parameters:
    ///   - name: The name of the Swift property.
    ///   - keypath: The key path from the model to the property; the schema takes the type from it.
    ///   - defaultValue: The property's initial value. A migration gives it to rows that are older than the property.
    ///   - metadata: What `@Attribute` or `@Relationship` says.
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Whether the entry is about a property, rather than a constraint or an index.
    var isProperty: Bool {
      !(metadata is any ConstraintMetadata)
    }
  }
}
