extension MigrationStage {
  var versions: (from: any VersionedSchema.Type, to: any VersionedSchema.Type) {
    switch self {
    case .lightweight(let from, let to): (from, to)
    case .custom(let from, let to, _, _): (from, to)
    }
  }

  typealias Code = @Sendable (_ context: ModelContext) throws -> Void

  /// What is to run before the tables change and afterwards; nil where there is nothing.
  var code: (willMigrate: Code?, didMigrate: Code?)? {
    switch self {
    case .custom(_, _, let willMigrate, let didMigrate) where willMigrate != nil || didMigrate != nil:
      (willMigrate, didMigrate)
    default: nil
    }
  }
}
