/// Models in the order in which they came, each of which can leave at once: it remembers its place. The list
/// retains them: an unsaved model may have no other reference.
struct ModelList<Place: ListPosition>: ~Copyable {
  private struct Slot {
    /// Retained by hand.
    unowned(unsafe) let model: any PersistentModel
    /// The same, to be compared and let go of without counting one more reference.
    let object: Unmanaged<AnyObject>

    init(_ model: any PersistentModel) {
      self.model = model
      object = .passUnretained(model)
    }
  }

  private var slots: [Slot?] = []
  private(set) var count = 0
  /// Another one as soon as places are given out again.
  private(set) var generation = 0

  /// Up to as many slots are kept for the next models when the last one leaves: programs that save often save little.
  private static var keptCapacity: Int { 64 }

  deinit {
    for slot in slots { slot?.object.release() }
  }

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0?.model }
  }

  /// The number of places that models of the list can have.
  var placeCount: Int { slots.count }

  /// The model at a place.
  func model(at place: Int) -> (any PersistentModel)? {
    slots.indices.contains(place) ? slots[place]?.model : nil
  }

  /// Calls `body` for each model with its place, which the model remembers. Models that are added meanwhile are left
  /// out. `body` must not take out a model that nobody else holds, because the copy that is visited does not hold it.
  func visit(_ body: (_ place: Int, any PersistentModel) throws -> Void) rethrows {
    let slots = slots
    for place in slots.indices {
      if let slot = slots[place] { try body(place, slot.model) }
    }
  }

  mutating func append(_ model: any PersistentModel) {
    Place.record(slots.count, in: model)
    let slot = Slot(model)
    _ = slot.object.retain()
    slots.append(slot)
    count += 1
  }

  func contains(_ model: any PersistentModel) -> Bool {
    isPlace(Place.place(of: model), of: model)
  }

  private func isPlace(_ place: Int, of model: any PersistentModel) -> Bool {
    slots.indices.contains(place)
      && slots[place]?.object.toOpaque() == Unmanaged<AnyObject>.passUnretained(model).toOpaque()
  }

  /// Takes out a model, unless it is not there.
  mutating func remove(_ model: any PersistentModel) {
    let place = Place.place(of: model)
    if isPlace(place, of: model) { empty(place) }
  }

  private mutating func empty(_ place: Int) {
    guard let object = slots[place]?.object else { return }
    slots[place] = nil
    count -= 1
    if count == 0 { clear() }
    object.release()
  }

  /// - Returns: the models that were there.
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

/// Where a model remembers its place in a list. The place may be from a list that the model has left.
protocol ListPosition {
  static func place(of model: any PersistentModel) -> Int
  static func record(_ place: Int, in model: any PersistentModel)
}

/// For inserted and for deleted models, of which none is both.
enum StatePosition: ListPosition {
  static func place(of model: any PersistentModel) -> Int {
    model._$withState { Int($0.listPosition) }
  }

  static func record(_ place: Int, in model: any PersistentModel) {
    model._$withState { $0.listPosition = Int32(place) }
  }
}

/// For models with other values than their rows.
enum ChangesPosition: ListPosition {
  static func place(of model: any PersistentModel) -> Int {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPosition } } ?? -1
  }

  static func record(_ place: Int, in model: any PersistentModel) {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPosition = place } }
  }
}
