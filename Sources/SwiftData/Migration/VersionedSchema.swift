/// One version of a schema: the model types as they were when the version shipped.
///
/// Types of two versions may have the same simple name, as in `SchemaV1.Trip` and `SchemaV2.Trip`; the simple name is
/// the name of the entity, and that is what tells that one became the other.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of this version. Types that they refer to join by themselves.
  static var models: [any PersistentModel.Type] { get }

  /// The number of this version. Stores are recognised by the shape of their schema; this is for people.
  static var versionIdentifier: Schema.Version { get }
}
