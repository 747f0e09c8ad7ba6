extension MigrationStage {
  var versions: (from: any VersionedSchema.Type, to: any VersionedSchema.Type) {
    switch self {
    case .lightweight(let from, let to): (from, to)
    case .custom(let from, let to, _, _): (from, to)
    }
  }

  typealias Code = @Sendable (_ context: ModelContext) throws -> Void

  /// The code to run before and after the change of the tables; nil when the stage has none.
  var code: (willMigrate: Code?, didMigrate: Code?)? {
    switch self {
    case .custom(_, _, let willMigrate, let didMigrate) where willMigrate != nil || didMigrate != nil:
      (willMigrate, didMigrate)
    default: nil
    }
  }
}
