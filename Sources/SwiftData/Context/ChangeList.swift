/// The registered models with changes, in the order of their first change, each of which can leave at once: its record
/// knows its place. The list holds them, because nobody else may.
struct ChangeList {
  private var slots: [(any PersistentModel)?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0 }
  }

  /// Calls `body` for each model.
  func visit(_ body: (any PersistentModel) -> Void) {
    for case let model? in slots { body(model) }
  }

  mutating func append(_ model: any PersistentModel, _ record: ChangeRecord) {
    record.position = slots.count
    slots.append(model)
    count += 1
  }

  mutating func remove(_ model: any PersistentModel, _ record: ChangeRecord) {
    guard slots.indices.contains(record.position), slots[record.position] === model else { return }
    slots[record.position] = nil
    count -= 1
    if count == 0 { slots.removeAll() }
  }

  mutating func removeAll() {
    slots.removeAll()
    count = 0
  }
}
