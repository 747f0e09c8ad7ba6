/// What a context's models were before some changes, which are undone together.
///
/// It names models by themselves: one that is deleted and comes back is the same object. It is the context's, as the
/// models are.
final class UndoStep {
  /// What a property had before its first change.
  enum Previous {
    /// The storage of an attribute.
    case value(Any)
    /// The target of a to-one.
    case target((any PersistentModel)?)
    /// The members of a to-many, while the step is not over, and where it deleted the owner or gave those that stayed
    /// another order.
    case members([any PersistentModel], after: [any PersistentModel]?)
    /// How the members differ from the former ones. While the step is not over, the added members are the last ones, and
    /// the removed members stood next to one another.
    case difference(added: [any PersistentModel], removed: [RemovedMember])
  }

  typealias RemovedMember = (place: Int, model: any PersistentModel)

  /// A change of a to-many that a step can note without the list of all members.
  enum MemberChange {
    /// Models are about to be added at the end.
    case appending([any PersistentModel])
    /// Members that stand next to one another, the first of them at `from`, are about to be removed from `count` members.
    case removing([any PersistentModel], from: Int, count: Int)
  }

  struct Value {
    let model: any PersistentModel
    let property: _ModelProperty
    var previous: Previous
  }

  private struct Place: Hashable {
    let model: ObjectIdentifier
    let property: Int
  }

  /// In the order of their first change.
  private(set) var values: [Value] = []
  /// Where each property stands among the values.
  private var places: [Place: Int] = [:]
  private var isClosed = false
  /// The models that were not there before, in the order in which they came, whether or not they are there after it.
  private(set) var newcomers: [any PersistentModel] = []
  /// The models that were there before and are not after it, in the order in which they went.
  var deleted: [any PersistentModel] { deletedOrGaps.compactMap { $0 } }
  /// With gaps where one came back.
  private var deletedOrGaps: [(any PersistentModel)?] = []
  private var newcomerIdentities: Set<ObjectIdentifier> = []
  private var placesOfDeleted: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { values.isEmpty && newcomers.isEmpty && placesOfDeleted.isEmpty }

  // MARK: Changes

  /// Whether what a property has now is to be noted.
  func needs(_ property: Int, of model: any PersistentModel) -> Bool {
    if newcomerIdentities.contains(ObjectIdentifier(model)) { return false }
    guard let place = places[Place(model: ObjectIdentifier(model), property: property)] else { return true }
    if !isClosed, case .difference = values[place].previous { return true }
    return false
  }

  func record(_ previous: Previous, of property: _ModelProperty, _ model: any PersistentModel) {
    let known = Place(model: ObjectIdentifier(model), property: property.index)
    guard let place = places[known] else {
      places[known] = values.count
      values.append(Value(model: model, property: property, previous: previous))
      return
    }
    guard !isClosed, case .difference(let added, let removed) = values[place].previous,
      case .members(let members, nil) = previous
    else { return }
    values[place].previous = .members(Self.members(members, without: added, with: removed), after: nil)
  }

  /// The members without the added ones, and with the removed ones at their places, which are in ascending order.
  static func members(
    _ present: [any PersistentModel], without added: [any PersistentModel], with removed: [RemovedMember]
  ) -> [any PersistentModel] {
    let known = Set((added + removed.map(\.model)).map { ObjectIdentifier($0) })
    var rest = present.filter { !known.contains(ObjectIdentifier($0)) }.makeIterator()
    var members: [any PersistentModel] = []
    for (place, model) in removed {
      while members.count < place, let next = rest.next() { members.append(next) }
      members.append(model)
    }
    while let next = rest.next() { members.append(next) }
    return members
  }

  /// Notes a change of members, if the step needs no list of them for that.
  ///
  /// - Returns: False when it needs one.
  func record(_ change: MemberChange, of property: _ModelProperty, _ model: any PersistentModel) -> Bool {
    if newcomerIdentities.contains(ObjectIdentifier(model)) { return true }
    let known = Place(model: ObjectIdentifier(model), property: property.index)
    if places[known] == nil { record(.difference(added: [], removed: []), of: property, model) }
    guard let place = places[known], case .difference(var added, var removed) = values[place].previous else {
      return true
    }
    // The arrays leave the value meanwhile, so that they are not copied at each change.
    values[place].previous = .value(())
    defer { values[place].previous = .difference(added: added, removed: removed) }
    switch change {
    case .appending(let models):
      added += models
      return true
    case .removing(let models, let first, let count):
      return Self.remove(models, from: first, count, &added, &removed)
    }
  }

  /// Takes members out of the added ones, or adds them to the removed ones.
  ///
  /// - Parameters:
  ///   - first: The place of the first one among the members.
  ///   - count: How many members there are.
  /// - Returns: False when they did not stand next to the members that were removed before.
  private static func remove(
    _ models: [any PersistentModel], from first: Int, _ count: Int, _ added: inout [any PersistentModel],
    _ removed: inout [RemovedMember]
  ) -> Bool {
    let start = first - (count - added.count)
    if start >= 0 {
      let places = start..<start + models.count
      guard places.upperBound <= added.count, added[places].elementsEqual(models, by: { $0 === $1 }) else {
        return false
      }
      added.removeSubrange(places)
      return true
    }
    guard start + models.count <= 0 else { return false }
    /// Where the members stood that were removed before.
    let gap = removed.first?.place ?? first
    if first == gap {
      let place = gap + removed.count
      removed += models.enumerated().map { (place + $0.offset, $0.element) }
    } else if first + models.count == gap {
      removed.insert(contentsOf: models.enumerated().map { (first + $0.offset, $0.element) }, at: 0)
    } else {
      return false
    }
    return true
  }

  func recordInsertion(of model: any PersistentModel) {
    let identity = ObjectIdentifier(model)
    if let place = placesOfDeleted.removeValue(forKey: identity) {
      deletedOrGaps[place] = nil
    } else if newcomerIdentities.insert(identity).inserted {
      newcomers.append(model)
    }
  }

  func recordDeletion(of model: any PersistentModel) {
    let identity = ObjectIdentifier(model)
    if newcomerIdentities.contains(identity) || placesOfDeleted[identity] != nil { return }
    placesOfDeleted[identity] = deletedOrGaps.count
    deletedOrGaps.append(model)
  }

  /// Whether a model was not there before.
  func hasBrought(_ model: any PersistentModel) -> Bool {
    newcomerIdentities.contains(ObjectIdentifier(model))
  }

  func hasDeleted(_ model: any PersistentModel) -> Bool {
    placesOfDeleted[ObjectIdentifier(model)] != nil
  }

  /// Members without those of some others that are deleted: whoever is told nothing of a deletion has them until the save,
  /// and is to have them again.
  static func kept(_ members: [any PersistentModel], of before: [any PersistentModel]) -> [any PersistentModel] {
    if members.allSatisfy({ $0._$withState { $0.isLive } }) { return members }
    let known = Set(before.map { ObjectIdentifier($0) })
    return members.filter { member in member._$withState { $0.isLive } || !known.contains(ObjectIdentifier(member)) }
  }

  /// Notes what to-manys have when the step is over: what others change from then on is not part of it.
  func close() {
    isClosed = true
    for index in values.indices {
      guard case .members(let before, after: nil) = values[index].previous,
        let property = values[index].property.relationship
      else { continue }
      let model = values[index].model
      if !property.isLoaded(model), model._$withState({ $0.status == .persistent }) {
        // A save of this context may have released the list since the change.
        model._$withState { $0.graph }?.attempt("reading the members of a relationship for undo") {
          _ = try property.targets(of: model)
        }
      }
      let after = property.isLoaded(model) ? property.loadedTargets(of: model) : before
      let kept = Self.kept(after, of: before)
      // What is gone has no members that a difference could be to.
      values[index].previous =
        hasDeleted(values[index].model) ? .members(before, after: kept) : Previous(before, after: kept)
    }
  }
}

extension UndoStep.Previous {
  /// What is to be known of a to-many when a step is over: as little as there is to undo.
  init(_ before: [any PersistentModel], after: [any PersistentModel]) {
    let (previous, later) = (Set(before.map { ObjectIdentifier($0) }), Set(after.map { ObjectIdentifier($0) }))
    let stayed = before.lazy.filter { later.contains(ObjectIdentifier($0)) }
    let isMoved = !stayed.elementsEqual(after.lazy.filter { previous.contains(ObjectIdentifier($0)) }) { $0 === $1 }
    if isMoved {
      self = .members(before, after: after)
      return
    }
    let removed = before.enumerated().filter { !later.contains(ObjectIdentifier($0.element)) }
    self = .difference(
      added: after.filter { !previous.contains(ObjectIdentifier($0)) }, removed: removed.map { ($0.offset, $0.element) }
    )
  }

  /// What a property has now; nil for a to-many that is not read, whose members tell from their own side where they
  /// belong.
  init?(_ property: _ModelProperty, of model: any PersistentModel) {
    guard let relationship = property.relationship else {
      self = .value(property.slot(of: model))
      return
    }
    if property.toMany == nil {
      self = .target(relationship.loadedTarget(of: model))
    } else if relationship.isLoaded(model) {
      self = .members(relationship.loadedTargets(of: model), after: nil)
    } else {
      return nil
    }
  }
}
