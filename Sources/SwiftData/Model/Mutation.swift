import Logging

/// What surrounds every change of a property, whatever its kind.
enum Mutation {
  /// Notes that the property is about to change, and keeps its committed storage aside on the first change.
  ///
  /// - Parameter isAsked: Whether somebody asked for just this change; it may follow from another one instead.
  /// - Returns: whether the change may happen; a deleted model takes none.
  static func begin(
    _ model: any PersistentModel, _ index: Int, isAsked: Bool = true, original: @autoclosure () -> Any
  ) -> Bool {
    if isAsked, isRefused(model, index) { return false }
    let status = model._$withState { $0.status }
    switch status {
    case .plain, .inserted:
      return true
    case .registered:
      return model.aloneInDebugging {
        let isFirst = model._$withState { !$0.isDirty(index) || index >= _ModelState.restIndex }
        if isFirst, let graph = model._$withState({ $0.graph }) {
          graph.alone { graph.changeRecord(of: model)?.keep(index, original()) }
        }
        return true
      }
    case .deleted, .gone:
      if isAsked {
        Log.model.warning("A property of a deleted \(Swift.type(of: model)) was set; the model stays as it is.")
      }
      return false
    }
  }

  /// Whether a property may not be set because somebody has read it in vain: what it is set to may have come of that,
  /// and would be written over a value that nobody has seen.
  @inline(__always)
  static func isRefused(_ model: any PersistentModel, _ index: Int) -> Bool {
    model._$withState { $0.misread & _ModelState.bit(index) != 0 } && refuse(model, index)
  }

  private static func refuse(_ model: any PersistentModel, _ index: Int) -> Bool {
    let property = ModelRuntime.of(model).properties[index]
    if property.isLoaded(model), Faulting.forgetFailure(model, index) { return false }
    model._$withState { $0.graph }?.reject(
      model, "It was set after its stored value could not be read.",
      "It stays as it is stored. Read it again, and set it when that succeeds.", about: property)
    return true
  }

  /// Ends a change of a property that followed from another one's.
  static func endConsequence(_ model: any PersistentModel) {
    model._$withState { $0.graphReference }?._withUnsafeGuaranteedRef { $0.scheduleAutosaveIfNeeded() }
  }

  static func end(_ model: any PersistentModel) {
    // Every setter comes here, so nothing is counted: a model that somebody holds keeps its graph, and that its
    // bindings.
    model._$withState { $0.bindingReference }?._withUnsafeGuaranteedRef { binding in
      binding.graphReference?._withUnsafeGuaranteedRef { $0.didChange() }
    }
  }

  /// Notes that the storage of another model is about to hold one.
  @inline(__always)
  static func willHold(_ model: any PersistentModel) {
    guard model._$withState({ $0.heirdom != .none }) else { return }
    model._$withState { $0.graph }?.disinherit(model)
  }
}

/// The committed storage of the properties that a registered model changed since its last save.
final class ChangeRecord {
  // Unchecked, because each access is over before other code runs.
  /// The place in the context's list of changed models.
  @exclusivity(unchecked) var listPlace = 0
  /// The changed properties as `_ModelState.dirty` has them.
  @exclusivity(unchecked) private(set) var dirty: UInt64 = 0
  /// What was changed first, and mostly is all.
  @exclusivity(unchecked) private var first: (index: Int, slot: Any)?
  @exclusivity(unchecked) private var others: [(index: Int, slot: Any)] = []

  /// In the order of the changes.
  var originals: [(index: Int, slot: Any)] {
    first.map { [$0] + others } ?? []
  }

  func keep(_ index: Int, _ slot: Any) {
    dirty |= _ModelState.bit(index)
    guard let first else {
      first = (index, slot)
      return
    }
    if first.index == index || others.contains(where: { $0.index == index }) { return }
    others.append((index, slot))
  }

  func original(_ index: Int) -> Any? {
    if let first, first.index == index { return first.slot }
    return others.first { $0.index == index }?.slot
  }

  func replaceOriginal(_ index: Int, with slot: Any) {
    if first?.index == index {
      first?.slot = slot
    } else if let position = others.firstIndex(where: { $0.index == index }) {
      others[position].slot = slot
    }
  }
}

enum Log {
  static let model = Logger(label: "swiftdata.model")
  static let fetch = Logger(label: "swiftdata.fetch")
  static let store = Logger(label: "swiftdata.store")
}
