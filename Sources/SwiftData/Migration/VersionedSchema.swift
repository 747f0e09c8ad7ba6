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
  /// Whether a store has a schema is told by a hash of the schema and by the store's tables, not by this number.
  static var versionIdentifier: Schema.Version { get }
}
