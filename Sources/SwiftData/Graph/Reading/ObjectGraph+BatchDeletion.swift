import Foundation

extension ObjectGraph {
  /// Deletes what a predicate selects; see ``ModelContext/delete(model:where:includeSubclasses:)``.
  func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    try prepareToRead(descriptor)
    let fetch = try FetchOperation(descriptor, for: .keys, in: self)
    let binding = fetch.binding
    var rows: [RowKey] = []
    // A store that keeps both sides of a relationship wants to see the models, unless it can do without them.
    let batch = batchDeletion(model, predicate, includeSubclasses, binding)
    let needsModels = binding.session.keepsBothSides && batch == nil
    if !needsModels, try fetch.keys(receive: { rows.append($0) }) {
      let selected = includeSubclasses ? rows : rows.filter { $0.entity == binding.ordinal }
      try delete(selected)
      if let batch, !selected.isEmpty {
        journal.noteBatchDeletion(
          BatchDeletion(session: binding.sessionIndex, rows: Set(selected), carryOut: batch))
      }
    } else {
      for found in try fetch.models() {
        if !includeSubclasses, Swift.type(of: found) != model { continue }
        if found._$withState({ $0.status }) == .inserted { continue }
        delete(cascadingFrom: found)
      }
    }
    didChange()
  }

  /// What deletes by a predicate in a store that can, as long as no relationship has a part in it.
  private func batchDeletion<T: PersistentModel>(
    _ model: T.Type, _ predicate: Predicate<T>?, _ includeSubclasses: Bool, _ binding: EntityBinding
  ) -> BatchDeletion.Work? {
    guard binding.session.keepsBothSides else { return nil }
    let root = binding.entity.rootEntity.name
    let isLinked = core.schema.entities.contains { entity in
      entity.relationships.contains { relationship in
        entity.rootEntity.name == root
          || core.schema.entitiesByName[relationship.destination]?.rootEntity.name == root
      }
    }
    if isLinked { return nil }
    return binding.session.batchDeletion(of: model, where: predicate, includeSubclasses: includeSubclasses)
  }
}
