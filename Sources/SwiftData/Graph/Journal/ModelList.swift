/// Models in the order in which they were added. Each stores its position, so that its removal takes constant time. The
/// list retains them: an unsaved model may have no other reference.
struct ModelList<Position: ListPosition>: ~Copyable {
  private struct Slot {
    /// Retained by hand.
    unowned(unsafe) let model: any PersistentModel
    /// The same reference, for comparisons and releases without a retain.
    let object: Unmanaged<AnyObject>

    init(_ model: any PersistentModel) {
      self.model = model
      object = .passUnretained(model)
    }
  }

  private var slots: [Slot?] = []
  private(set) var count = 0
  /// Changes when positions are assigned again from zero.
  private(set) var generation = 0

  /// The number of slots that are kept when the last model is removed: programs that save often have few changes.
  private static var keptCapacity: Int { 64 }

  deinit {
    for slot in slots { slot?.object.release() }
  }

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0?.model }
  }

  /// The number of positions that models of the list can have.
  var positionCount: Int { slots.count }

  /// The model at a position.
  func model(at position: Int) -> (any PersistentModel)? {
    slots.indices.contains(position) ? slots[position]?.model : nil
  }

  /// Calls `body` for each model with its position. Models that are added meanwhile are left out. `body` must not remove a
  /// model that has no other reference, because the copy that is enumerated does not retain it.
  func visit(_ body: (_ position: Int, any PersistentModel) throws -> Void) rethrows {
    let slots = slots
    for position in slots.indices {
      if let slot = slots[position] { try body(position, slot.model) }
    }
  }

  mutating func append(_ model: any PersistentModel) {
    Position.record(slots.count, in: model)
    let slot = Slot(model)
    _ = slot.object.retain()
    slots.append(slot)
    count += 1
  }

  func contains(_ model: any PersistentModel) -> Bool {
    isPosition(Position.position(of: model), of: model)
  }

  private func isPosition(_ position: Int, of model: any PersistentModel) -> Bool {
    slots.indices.contains(position)
      && slots[position]?.object.toOpaque() == Unmanaged<AnyObject>.passUnretained(model).toOpaque()
  }

  /// Removes a model, if the list has it.
  mutating func remove(_ model: any PersistentModel) {
    let position = Position.position(of: model)
    if isPosition(position, of: model) { empty(position) }
  }

  private mutating func empty(_ position: Int) {
    guard let object = slots[position]?.object else { return }
    slots[position] = nil
    count -= 1
    if count == 0 { clear() }
    object.release()
  }

  /// - Returns: The models that were in the list.
  @discardableResult
  mutating func removeAll() -> [any PersistentModel] {
    let models = models
    let slots = slots
    clear()
    for slot in slots { slot?.object.release() }
    return models
  }

  private mutating func clear() {
    slots.removeAll(keepingCapacity: slots.count <= Self.keptCapacity)
    count = 0
    generation += 1
  }
}

/// The storage of a model's position in a list. The position may belong to a list that the model has left.
protocol ListPosition {
  static func position(of model: any PersistentModel) -> Int
  static func record(_ position: Int, in model: any PersistentModel)
}

/// For inserted and deleted models; no model is both.
enum StatePosition: ListPosition {
  static func position(of model: any PersistentModel) -> Int {
    model._$withState { Int($0.listPosition) }
  }

  static func record(_ position: Int, in model: any PersistentModel) {
    model._$withState { $0.listPosition = Int32(position) }
  }
}

/// For models with `ObjectChanges`.
enum ChangesPosition: ListPosition {
  static func position(of model: any PersistentModel) -> Int {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPosition } } ?? -1
  }

  static func record(_ position: Int, in model: any PersistentModel) {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPosition = position } }
  }
}
