/// A step from one version of a schema to the next.
public enum MigrationStage: Sendable {
  /// A step that follows from the difference of the two versions: additions, removals, renamed properties whose
  /// `originalName` tells, changed options.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

  /// A step with code around the change of shape.
  ///
  /// `willMigrate` runs on the old shape and knows the old types only, `didMigrate` runs on the new shape and knows the
  /// new types only. Each saves the context it is given.
  @preconcurrency case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}
