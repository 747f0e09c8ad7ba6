/// How a store of an older version of the schema becomes a store of the current version.
///
/// A ``ModelContainer`` that is made with a plan runs the stages that lead from the version that its stores have to its
/// schema. Versions are recognized by their shape, not by their numbers. <doc:ChangingModels> says how the path is found.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// All versions that were released, the oldest first.
  ///
  /// Between two that follow each other, a missing stage is filled in. Versions that stages name need not be listed.
  static var schemas: [any VersionedSchema.Type] { get }

  /// The steps from version to version.
  ///
  /// The order counts only where two ways have the same number of stages. A stage may lead over several versions, or
  /// back.
  static var stages: [MigrationStage] { get }
}
