/// One step of a migration, from one schema to the next.
struct RouteStep {
  /// Nil when the step is inferred from the difference of the two schemas.
  let stage: MigrationStage?
  let from: Schema
  let to: Schema
  /// Descriptions of the two schemas.
  let names: (from: String, to: String)
  let loss: StoreRoute.Loss

  var kind: MigrationStep.Kind {
    guard let stage else { return .inferred }
    return stage.code == nil ? .lightweight : .custom
  }

  var description: String { "from \(names.from) to \(names.to)" }
}
