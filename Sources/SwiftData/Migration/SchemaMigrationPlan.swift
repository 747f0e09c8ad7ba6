/// How a store of any version that ever shipped becomes one of the current version.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// Every version that ever shipped, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }

  /// The steps that join the versions of ``schemas``, in the same order.
  static var stages: [MigrationStage] { get }
}
