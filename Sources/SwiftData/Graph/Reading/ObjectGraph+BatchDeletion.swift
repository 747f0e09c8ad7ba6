import Foundation

extension ObjectGraph {
  /// Deletes what a predicate selects; see ``ModelContext/delete(model:where:includeSubclasses:)``.
  func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    try prepareToRead(descriptor)
    let binding = try requireBinding(for: T.self)
    let plan = try fetchPlan(descriptor, for: .keys, binding)
    let overlay = try PendingOverlay(self, binding, descriptor, residue: plan.residue)
    var rows: [RowKey] = []
    // A store that keeps both sides of a relationship wants to see the models.
    if overlay == nil, !binding.session.keepsBothSides, try plan.keys(receive: { rows.append($0) }) {
      try delete(includeSubclasses ? rows : rows.filter { $0.entity == binding.ordinal })
    } else {
      for found in try completed(overlay, descriptor, plan, binding) {
        if !includeSubclasses, Swift.type(of: found) != model { continue }
        if found._$withState({ $0.status }) == .inserted { continue }
        delete(cascadingFrom: found)
      }
    }
    didChange()
  }
}
