/// Models in the order in which they came, each of which can leave at once: it remembers its place. The list holds
/// them, because nobody else may, but for one that it was told to let go of.
struct ModelList<Place: ModelPlace>: ~Copyable {
  private struct Slot {
    /// Retained by hand, apart from the one at `loosePlace`.
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
  /// The place of a model that the list does not hold, and which takes itself out when it goes away.
  private var loosePlace = -1

  /// Up to as many slots are kept for the next models when the last one leaves: programs that save often save little.
  private static var keptCapacity: Int { 64 }

  deinit {
    for place in slots.indices where place != loosePlace { slots[place]?.object.release() }
  }

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0?.model }
  }

  /// The number of places that models of the list can have.
  var placeCount: Int { slots.count }

  /// The model at a place, unless the list does not hold it.
  func model(at place: Int) -> (any PersistentModel)? {
    slots.indices.contains(place) && place != loosePlace ? slots[place]?.model : nil
  }

  /// Calls `body` for each model with its place, which the model remembers. Models that are added meanwhile are left
  /// out. `body` must not take out a model that nobody else holds, because the copy that is visited does not hold it.
  func visit(_ body: (_ place: Int, any PersistentModel) throws -> Void) rethrows {
    let slots = slots
    for place in slots.indices {
      if let slot = slots[place] { try body(place, slot.model) }
    }
  }

  /// The same for the models that the list holds. The one that it does not may be going away on another thread.
  func visitHeld(_ body: (any PersistentModel) -> Void) {
    let (slots, loosePlace) = (slots, loosePlace)
    for place in slots.indices where place != loosePlace {
      if let slot = slots[place] { body(slot.model) }
    }
  }

  mutating func append(_ model: any PersistentModel) {
    Place.note(slots.count, in: model)
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
    if loosePlace == place { loosePlace = -1 } else { object.release() }
  }

  /// - Returns: the models that were there.
  @discardableResult
  mutating func removeAll() -> [any PersistentModel] {
    let models = models
    let loose = loosePlace
    let slots = slots
    clear()
    loosePlace = -1
    for place in slots.indices where place != loose { slots[place]?.object.release() }
    return models
  }

  private mutating func clear() {
    slots.removeAll(keepingCapacity: slots.count <= Self.keptCapacity)
    count = 0
  }

  // MARK: Letting go

  /// Lets go of a model, which stays in the list for as long as it is there.
  mutating func loosen(_ model: any PersistentModel) {
    guard contains(model), loosePlace < 0 else { return }
    loosePlace = Place.place(of: model)
    slots[loosePlace]?.object.release()
  }

  /// Holds the model again that the list has let go of.
  mutating func tighten() {
    guard loosePlace >= 0, let slot = slots[loosePlace] else { return }
    _ = slot.object.retain()
    loosePlace = -1
  }

  /// Forgets the model that the list has let go of, because it goes away.
  mutating func forgetLoose() {
    if loosePlace >= 0 { empty(loosePlace) }
  }
}

/// Where a model remembers its place in a list. The place may be from a list that the model has left.
protocol ModelPlace {
  static func place(of model: any PersistentModel) -> Int
  static func note(_ place: Int, in model: any PersistentModel)
}

/// For inserted and for deleted models, of which none is both.
enum StatePlace: ModelPlace {
  static func place(of model: any PersistentModel) -> Int {
    model._$withState { Int($0.listPlace) }
  }

  static func note(_ place: Int, in model: any PersistentModel) {
    model._$withState { $0.listPlace = Int32(place) }
  }
}

/// For models with other values than their rows.
enum ChangesPlace: ModelPlace {
  static func place(of model: any PersistentModel) -> Int {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPlace } } ?? -1
  }

  static func note(_ place: Int, in model: any PersistentModel) {
    model._$withState { $0.changesReference?._withUnsafeGuaranteedRef { $0.listPlace = place } }
  }
}
