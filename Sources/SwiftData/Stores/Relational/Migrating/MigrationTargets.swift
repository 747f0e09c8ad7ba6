/// A schema that a store comes to.
struct MigrationTarget {
  let layout: StoreLayout
  let record: SchemaRecord
  /// What may be lost on the way there.
  let loss: StoreRoute.Loss
}

/// What a store comes to, one after the other.
struct MigrationTargets {
  private let earlier: [MigrationTarget]
  let last: MigrationTarget
  /// The hash of the schema from which they are the way; nil where it may be any.
  private let origin: String?

  init(_ earlier: [MigrationTarget], last: MigrationTarget, from origin: String?) {
    self.earlier = earlier
    self.last = last
    self.origin = origin
  }

  /// - Throws: `SwiftDataError` when the store has come to another schema meanwhile.
  func check(_ metadata: StoreMetadata) throws {
    if origin == nil || metadata.schemaHash == origin { return }
    throw StoreOpening.refusal(
      "The store was given another schema while it was opened.", "Open it again; it was not changed.")
  }

  var first: MigrationTarget { earlier.first ?? last }
  var all: [MigrationTarget] { earlier + [last] }
}

extension StoreRoute {
  /// The tables of each schema on the way.
  ///
  /// - Parameters:
  ///   - schema: The last one, of which the store holds some entities.
  ///   - layout: That of the last one.
  func targets(
    to schema: Schema, _ entities: [Int], _ layout: StoreLayout, _ sorting: TextSorting
  ) throws -> MigrationTargets {
    let earlier = try stops.map { stop in
      let layout = StoreLayout(
        schema: stop.schema, entities: stop.entities, sorting: sorting, folding: FoldingInterception.function)
      return MigrationTarget(
        layout: layout, record: try SchemaRecord(stop.schema.part(stop.entities), layout.tables), loss: stop.loss)
    }
    let record = try SchemaRecord(schema.part(entities), layout.tables)
    return MigrationTargets(earlier, last: MigrationTarget(layout: layout, record: record, loss: loss), from: origin)
  }
}
