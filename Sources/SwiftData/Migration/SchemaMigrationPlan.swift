/// The versions of a schema, and the stages that migrate a store from one version to another.
///
/// A ``ModelContainer`` that is made with a plan runs the stages that lead from the version of its stores to its schema.
/// It recognizes versions by their shape, not by their numbers. <doc:ChangingModels> says how the path is found.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// All released versions, the oldest first.
  ///
  /// Two consecutive versions without a stage are connected by an inferred step. Versions that stages name need not be listed.
  static var schemas: [any VersionedSchema.Type] { get }

  /// The stages between versions.
  ///
  /// The order counts only when two paths have the same number of stages. A stage may skip versions, or lead back.
  static var stages: [MigrationStage] { get }
}
