/// One version of a schema: the model types as they were when the version was released.
///
/// The simple name of a type is the name of its entity. Types of two versions with the same simple name, such as
/// `SchemaV1.Trip` and `SchemaV2.Trip`, are versions of one entity.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of this version.
  ///
  /// Related types are included automatically.
  static var models: [any PersistentModel.Type] { get }

  /// The number of this version, for descriptions.
  ///
  /// The library recognizes the version of a store by a hash of the schema and by the store's tables, not by this number.
  static var versionIdentifier: Schema.Version { get }
}
