extension Schema {
  /// The description of one property that `@Model` generates.
  ///
  /// A schema is built from the list of these entries in ``PersistentModel/schemaMetadata``. An entry for `#Index` or
  /// `#Unique` has a key path into ``Schema`` instead of one into the model.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

    /// Makes an entry of a model's metadata.
    ///
    /// - Parameters:
    ///   - name: The name of the Swift property.
    ///   - keypath: The key path from the model to the property. The schema takes the type of the property from it.
    ///   - defaultValue: The initial value of the property. A migration gives it to rows that are older than the
    ///     property.
    ///   - metadata: The arguments of `@Attribute` or `@Relationship`, if the property has one.
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
