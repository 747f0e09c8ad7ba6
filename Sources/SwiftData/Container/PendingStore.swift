/// A store that is about to be opened.
struct PendingStore {
  /// Whether all that can be checked says that `open` will succeed. False for a custom store, which cannot be checked.
  let isCertain: Bool
  let open: () throws -> any SwiftData.Store
}

extension DataStoreConfiguration {
  /// Looks at the store that the configuration describes, as far as this changes nothing about it.
  ///
  /// - Parameters:
  ///   - schema: The container's schema.
  ///   - entities: The positions in it of the entities that the store holds.
  ///   - route: How it comes to the schema if it has another one.
  ///   - copy: What is opened in place of the file that the configuration names.
  func opening(
    _ schema: Schema, entities: [Int], by route: StoreRoute, in copy: WorkingCopy?
  ) throws -> PendingStore {
    if let configuration = self as? ModelConfiguration {
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
      return SnapshotStore(
        try Store(configuration, migrationPlan: nil), name: name, schema: schema)
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store \(name) cannot be opened.", underlying: error)
    }
  }
}
