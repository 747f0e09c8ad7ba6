/// Models in the order in which they came, each of which can leave at once: its state knows its place.
struct ModelList {
  private var slots: [(any PersistentModel)?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0 }
  }

  /// The number of positions that models of the list can have.
  var positionCount: Int { slots.count }

  /// Calls `body` for each model with its position, which its state knows too.
  func visit(_ body: (_ position: Int, any PersistentModel) -> Void) {
    for index in slots.indices {
      if let model = slots[index] { body(index, model) }
    }
  }

  mutating func append(_ model: any PersistentModel) {
    let index = Int32(slots.count)
    model._$withState { $0.listIndex = index }
    slots.append(model)
    count += 1
  }

  mutating func remove(_ model: any PersistentModel) {
    let index = Int(model._$withState { $0.listIndex })
    guard slots.indices.contains(index), slots[index] === model else { return }
    slots[index] = nil
    count -= 1
    model._$withState { $0.listIndex = -1 }
    if count == 0 { slots.removeAll() }
  }

  mutating func removeAll() -> [any PersistentModel] {
    let models = models
    for model in models { model._$withState { $0.listIndex = -1 } }
    slots.removeAll()
    count = 0
    return models
  }
}
