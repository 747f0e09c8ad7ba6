/// A step from one version of a schema to the next.
///
/// This release runs no stage. <doc:ChangingModels> tells what happens to an older store.
public enum MigrationStage: Sendable {
  /// A step without code, which follows from the difference between the two versions.
  ///
  /// Differences may be added and removed properties, properties renamed with `originalName`, and changed options.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code before and after the change of the tables.
  ///
  /// `willMigrate` is meant to run before the change, with the model types of the old version only, and `didMigrate`
  /// after it, with those of the new version only. Each closure has to save the context that it is given. A plan with
  /// such a stage makes a container refuse an older store. A stage whose closures are both `nil` counts as
  /// `lightweight`.
  @preconcurrency case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}

extension MigrationStage {
  /// Whether the stage has code to run: one without is as good as a lightweight one.
  var hasCode: Bool {
    switch self {
    case .lightweight: false
    case .custom(_, _, let willMigrate, let didMigrate): willMigrate != nil || didMigrate != nil
    }
  }
}
