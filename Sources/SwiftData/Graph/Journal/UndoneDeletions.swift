/// The steps that have deleted a model, by model.
struct UndoneDeletions {
  private struct Entry {
    weak var step: UndoStep?
  }

  private var entries: [ObjectIdentifier: [Entry]] = [:]
  /// The number of models at the last removal of released steps.
  private var countAtCleaning = 0

  mutating func record(_ step: UndoStep, _ model: any PersistentModel) {
    var known = entries[ObjectIdentifier(model)] ?? []
    if known.last?.step === step { return }
    known.removeAll { $0.step == nil }
    known.append(Entry(step: step))
    entries[ObjectIdentifier(model)] = known
    if entries.count > 2 * countAtCleaning + 1024 { clean() }
  }

  /// A step retains the models that it has deleted, so that no other model has the same identity.
  func steps(of model: any PersistentModel) -> [UndoStep] {
    entries[ObjectIdentifier(model)]?.compactMap(\.step).filter { $0.hasDeleted(model) } ?? []
  }

  private mutating func clean() {
    entries = entries.filter { $0.value.contains { $0.step != nil } }
    countAtCleaning = entries.count
  }
}
