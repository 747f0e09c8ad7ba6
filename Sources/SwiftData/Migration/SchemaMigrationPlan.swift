/// How a store of an older version of the schema becomes a store of the current version.
///
/// This release runs no stage of a plan. <doc:ChangingModels> tells what happens to an older store.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// All versions that were released, the oldest first.
  static var schemas: [any VersionedSchema.Type] { get }

  /// The steps from each version of ``schemas`` to the next one, in the same order.
  static var stages: [MigrationStage] { get }
}
