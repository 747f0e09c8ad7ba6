/// One version of a schema: the model types as they were when the version was released.
///
/// Types of two versions may have the same simple name, as `SchemaV1.Trip` and `SchemaV2.Trip` have. The simple name is
/// the name of the entity. Types of two versions with the same simple name are versions of one entity.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of this version.
  ///
  /// Types that these refer to are included automatically.
  static var models: [any PersistentModel.Type] { get }

  /// The number of this version, for people.
  ///
  /// The library compares a hash of the schema, and the store's tables, to find out a store's version; not this number.
  static var versionIdentifier: Schema.Version { get }
}
