/// Models in the order in which they came, each of which can leave at once: it remembers its place. The list holds them,
/// because nobody else may.
struct ModelList<Place: ModelPlace> {
  private var slots: [(any PersistentModel)?] = []
  private(set) var count = 0

  /// Up to as many slots are kept for the next models when the last one leaves: programs that save often save little.
  private static var keptCapacity: Int { 64 }

  var isEmpty: Bool { count == 0 }

  var models: [any PersistentModel] {
    slots.compactMap { $0 }
  }

  /// The number of places that models of the list can have.
  var placeCount: Int { slots.count }

  /// Calls `body` for each model with its place, which the model remembers.
  func visit(_ body: (_ place: Int, any PersistentModel) -> Void) {
    for place in slots.indices {
      if let model = slots[place] { body(place, model) }
    }
  }

  mutating func append(_ model: any PersistentModel) {
    Place.note(slots.count, in: model)
    slots.append(model)
    count += 1
  }

  /// Takes out a model, unless it is not there.
  mutating func remove(_ model: any PersistentModel) {
    let place = Place.place(of: model)
    guard slots.indices.contains(place), slots[place] === model else { return }
    slots[place] = nil
    count -= 1
    if count == 0 { clear() }
  }

  /// - Returns: the models that were there.
  @discardableResult
  mutating func removeAll() -> [any PersistentModel] {
    defer { clear() }
    return models
  }

  private mutating func clear() {
    slots.removeAll(keepingCapacity: slots.count <= Self.keptCapacity)
    count = 0
  }
}

/// Where a model remembers its place in a list. What is noted there may be of a list that the model has left.
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

/// For models with a record of their changes.
enum RecordPlace: ModelPlace {
  static func place(of model: any PersistentModel) -> Int {
    model._$withState { $0.change?.listPlace } ?? -1
  }

  static func note(_ place: Int, in model: any PersistentModel) {
    model._$withState { $0.change?.listPlace = place }
  }
}
