/// A step from one version of a schema to the next.
///
/// A container with a ``SchemaMigrationPlan`` runs the stages on the path from the version of a store to the container's
/// schema when it is made. <doc:ChangingModels> says how the path is found, and what happens when a stage fails. Further
/// stages with code are additions of OpenSwiftData: see <doc:MigrationRecipes>.
public enum MigrationStage: Sendable {
  /// A step without code, which follows from the difference between the two versions.
  ///
  /// It makes the changes that a container makes without a plan, see <doc:ChangingModels>, and removes models that the
  /// newer version lacks, with their rows.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code before and after the change of the tables.
  ///
  /// `willMigrate` runs before the change, with the model types of the old version only, and `didMigrate` after it,
  /// with those of the new version only, both on the thread that makes the container. Each closure has to save its
  /// context: unsaved changes are lost, and the log has a warning about them. An error of a closure, other than a
  /// `CancellationError`, is the underlying error of a ``SwiftDataError/loadIssueModelContainer``, and leaves the store
  /// as it was before the first stage. When others save to the store before the migration is committed, all stages run
  /// again. A stage whose closures are both `nil` counts as `lightweight`.
  @preconcurrency case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}
