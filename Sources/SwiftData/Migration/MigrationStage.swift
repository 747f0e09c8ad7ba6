/// A step from one version of a schema to the next.
///
/// Stages run when a container with a ``SchemaMigrationPlan`` is made, on the way from the version that a store has to
/// the container's schema. <doc:ChangingModels> says which ones, and what holds when one fails. Further stages with code
/// are additions of OpenSwiftData: see <doc:MigrationRecipes>.
public enum MigrationStage: Sendable {
  /// A step without code, which follows from the difference between the two versions.
  ///
  /// It does what a container takes up without a plan, see <doc:ChangingModels>, and removes models that the newer
  /// version lacks, with their rows.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code before and after the change of the tables.
  ///
  /// `willMigrate` runs before the change, with the model types of the old version only, and `didMigrate` after it,
  /// with those of the new version only, both on the thread that makes the container. Each closure has to save the
  /// context that it is given: what it leaves unsaved is lost, which the log tells. What a closure throws is the
  /// underlying error of a ``SwiftDataError/loadIssueModelContainer``, apart from a `CancellationError`, and the store
  /// is as it was before the first stage. The stages run again, from the beginning, when somebody else saves at the
  /// last moment. A stage whose closures are both `nil` counts as `lightweight`.
  @preconcurrency case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}
