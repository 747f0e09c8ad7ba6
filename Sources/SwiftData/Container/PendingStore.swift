/// A store that is about to be opened.
struct PendingStore {
  /// Whether the store was checked, so that `open` should succeed. False for a custom store, which cannot be checked.
  let isCertain: Bool
  let open: () throws -> any SwiftData.Store
}

extension DataStoreConfiguration {
  /// Checks the store that the configuration describes, without changing it.
  ///
  /// - Parameters:
  ///   - schema: The container's schema.
  ///   - entities: The positions in it of the entities that the store holds.
  ///   - route: The migration route to the schema if the store has another one.
  ///   - copy: The working copy to open in place of the configuration's file.
  func opening(
    _ schema: Schema, entities: [Int], by route: StoreRoute, in copy: (any StoreCopy)?
  ) throws -> PendingStore {
    if let configuration = relational {
      let open = try RelationalStore.opening(configuration, schema: schema, entities: entities, by: route, in: copy)
      return PendingStore(isCertain: true, open: open)
    }
    return PendingStore(isCertain: false) { try openCustom(schema, entities) }
  }

  private func openCustom(
    _ schema: Schema, _ entities: [Int]
  ) throws -> any SwiftData.Store {
    var configuration = self
    if configuration.schema == nil {
      configuration.schema =
        entities.count == schema.entities.count
        ? schema : Schema(entities.compactMap { schema.entities[$0].modelType })
    }
    do {
      let custom = try SnapshotShape.$schemaOfOpeningStore.withValue(schema) {
        try Store(configuration, migrationPlan: nil)
      }
      return SnapshotStore(custom, name: name, schema: schema)
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store \(name) cannot be opened.", underlying: error)
    }
  }
}
