/// The schema that a migration takes a store to.
struct MigrationTarget {
  let layout: StoreLayout
  let record: SchemaRecord
  /// The data that the migration may remove.
  let loss: StoreRoute.Loss
}

/// The successive schemas of a migration.
struct MigrationTargets {
  private let earlier: [MigrationTarget]
  let last: MigrationTarget
  /// The hash of the schema that the migration starts from; nil where any will do.
  private let origin: String?

  init(_ earlier: [MigrationTarget], last: MigrationTarget, from origin: String?) {
    self.earlier = earlier
    self.last = last
    self.origin = origin
  }

  /// - Throws: `SwiftDataError` when another process has migrated the store meanwhile.
  func check(_ metadata: StoreMetadata) throws {
    if origin == nil || metadata.schemaHash == origin { return }
    throw StoreOpening.refusal(
      "The store was given another schema while it was opened.", "Open it again; it was not changed.")
  }

  var first: MigrationTarget { earlier.first ?? last }
  var all: [MigrationTarget] { earlier + [last] }
}

extension StoreRoute {
  /// The migration targets for each schema of the route.
  ///
  /// - Parameters:
  ///   - schema: The last schema, of which the store has some entities.
  ///   - layout: The layout of the last schema.
  func targets(
    to schema: Schema, _ entities: [Int], _ layout: StoreLayout, _ rules: LayoutRules
  ) throws -> MigrationTargets {
    let earlier = try stops.map { stop in
      let layout = StoreLayout(
        schema: stop.schema, entities: stop.entities, rules: rules, folding: FoldingInterception.function)
      return MigrationTarget(
        layout: layout, record: try SchemaRecord(stop.schema.part(stop.entities), layout.tables), loss: stop.loss)
    }
    let record = try SchemaRecord(schema.part(entities), layout.tables)
    return MigrationTargets(earlier, last: MigrationTarget(layout: layout, record: record, loss: loss), from: origin)
  }
}
