/// The values of a context's models before some changes that are undone together.
///
/// It refers to models as objects: a deleted model that is restored is the same object. It belongs to the context's
/// isolation, like the models.
final class UndoStep {
  /// The value of a property before its first change.
  enum Previous {
    /// The storage of an attribute.
    case value(Any)
    /// The target of a to-one.
    case target((any PersistentModel)?)
    /// The members of a to-many. Used while the step is open, and afterwards if the step deleted the owner or reordered the
    /// remaining members.
    case members([any PersistentModel], after: [any PersistentModel]?)
    /// The difference between the current and the previous members. While the step is open, the added members are the last
    /// ones, and the removed members were adjacent.
    case difference(added: [any PersistentModel], removed: [RemovedMember])
  }

  typealias RemovedMember = (index: Int, model: any PersistentModel)

  /// A change of a to-many that a step can record without the list of all members.
  enum MemberChange {
    /// Models are about to be appended.
    case appending([any PersistentModel])
    /// Adjacent members, the first of them at `from`, are about to be removed from `count` members.
    case removing([any PersistentModel], from: Int, count: Int)
  }

  struct Value {
    let model: any PersistentModel
    let property: _ModelProperty
    var previous: Previous
  }

  private struct PropertyKey: Hashable {
    let model: ObjectIdentifier
    let property: Int
  }

  /// In the order of their first change.
  private(set) var values: [Value] = []
  /// The index of each property in `values`.
  private var indices: [PropertyKey: Int] = [:]
  private var isClosed = false
  /// The models that the step inserted, in that order, whether or not it deleted them again.
  private(set) var inserted: [any PersistentModel] = []
  /// The models that existed before the step and that it deleted, in that order.
  var deleted: [any PersistentModel] { deletedOrGaps.compactMap { $0 } }
  /// Nil where a model was inserted again.
  private var deletedOrGaps: [(any PersistentModel)?] = []
  private var insertedIdentities: Set<ObjectIdentifier> = []
  private var indicesOfDeleted: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { values.isEmpty && inserted.isEmpty && indicesOfDeleted.isEmpty }

  // MARK: Changes

  /// Whether the current value of a property has to be recorded.
  func needs(_ property: Int, of model: any PersistentModel) -> Bool {
    if insertedIdentities.contains(ObjectIdentifier(model)) { return false }
    guard let index = indices[PropertyKey(model: ObjectIdentifier(model), property: property)] else { return true }
    if !isClosed, case .difference = values[index].previous { return true }
    return false
  }

  func record(_ previous: Previous, of property: _ModelProperty, _ model: any PersistentModel) {
    let known = PropertyKey(model: ObjectIdentifier(model), property: property.index)
    guard let index = indices[known] else {
      indices[known] = values.count
      values.append(Value(model: model, property: property, previous: previous))
      return
    }
    guard !isClosed, case .difference(let added, let removed) = values[index].previous,
      case .members(let members, nil) = previous
    else { return }
    values[index].previous = .members(Self.members(members, without: added, with: removed), after: nil)
  }

  /// The members without the added ones, and with the removed ones at their indices, which are in ascending order.
  static func members(
    _ present: [any PersistentModel], without added: [any PersistentModel], with removed: [RemovedMember]
  ) -> [any PersistentModel] {
    let known = Set((added + removed.map(\.model)).map { ObjectIdentifier($0) })
    var rest = present.filter { !known.contains(ObjectIdentifier($0)) }.makeIterator()
    var members: [any PersistentModel] = []
    for (index, model) in removed {
      while members.count < index, let next = rest.next() { members.append(next) }
      members.append(model)
    }
    while let next = rest.next() { members.append(next) }
    return members
  }

  /// Records a change of members, if the step needs no list of the members for it.
  ///
  /// - Returns: False if it needs one.
  func record(_ change: MemberChange, of property: _ModelProperty, _ model: any PersistentModel) -> Bool {
    if insertedIdentities.contains(ObjectIdentifier(model)) { return true }
    let known = PropertyKey(model: ObjectIdentifier(model), property: property.index)
    if indices[known] == nil { record(.difference(added: [], removed: []), of: property, model) }
    guard let index = indices[known], case .difference(var added, var removed) = values[index].previous else {
      return true
    }
    // The arrays are moved out of the value meanwhile, so that they are not copied at each change.
    values[index].previous = .value(())
    defer { values[index].previous = .difference(added: added, removed: removed) }
    switch change {
    case .appending(let models):
      added += models
      return true
    case .removing(let models, let first, let count):
      return Self.remove(models, from: first, count, &added, &removed)
    }
  }

  /// Removes members from the added ones, or adds them to the removed ones.
  ///
  /// - Parameters:
  ///   - first: The index of the first one among the members.
  ///   - count: The number of members before the change.
  /// - Returns: False if they are not adjacent to the members that were removed before.
  private static func remove(
    _ models: [any PersistentModel], from first: Int, _ count: Int, _ added: inout [any PersistentModel],
    _ removed: inout [RemovedMember]
  ) -> Bool {
    let start = first - (count - added.count)
    if start >= 0 {
      let indices = start..<start + models.count
      guard indices.upperBound <= added.count, added[indices].elementsEqual(models, by: { $0 === $1 }) else {
        return false
      }
      added.removeSubrange(indices)
      return true
    }
    guard start + models.count <= 0 else { return false }
    /// The index of the members that were removed before.
    let gap = removed.first?.index ?? first
    if first == gap {
      let index = gap + removed.count
      removed += models.enumerated().map { (index + $0.offset, $0.element) }
    } else if first + models.count == gap {
      removed.insert(contentsOf: models.enumerated().map { (first + $0.offset, $0.element) }, at: 0)
    } else {
      return false
    }
    return true
  }

  func recordInsertion(of model: any PersistentModel) {
    let identity = ObjectIdentifier(model)
    if let index = indicesOfDeleted.removeValue(forKey: identity) {
      deletedOrGaps[index] = nil
    } else if insertedIdentities.insert(identity).inserted {
      inserted.append(model)
    }
  }

  func recordDeletion(of model: any PersistentModel) {
    let identity = ObjectIdentifier(model)
    if insertedIdentities.contains(identity) || indicesOfDeleted[identity] != nil { return }
    indicesOfDeleted[identity] = deletedOrGaps.count
    deletedOrGaps.append(model)
  }

  /// Whether the step inserted a model.
  func hasInserted(_ model: any PersistentModel) -> Bool {
    insertedIdentities.contains(ObjectIdentifier(model))
  }

  func hasDeleted(_ model: any PersistentModel) -> Bool {
    indicesOfDeleted[ObjectIdentifier(model)] != nil
  }

  /// Members without deleted ones that are not in `before`. A relationship that a deletion does not unlink keeps a deleted
  /// member until the save, and has it again after an undo.
  static func kept(_ members: [any PersistentModel], of before: [any PersistentModel]) -> [any PersistentModel] {
    if members.allSatisfy({ $0._$withState { $0.isLive } }) { return members }
    let known = Set(before.map { ObjectIdentifier($0) })
    return members.filter { member in member._$withState { $0.isLive } || !known.contains(ObjectIdentifier(member)) }
  }

  /// Stores the members of to-manys at the end of the step: later changes by other contexts are not part of it.
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
      // A deleted model has no members to compute a difference to.
      values[index].previous =
        hasDeleted(values[index].model) ? .members(before, after: kept) : Previous(before, after: kept)
    }
  }
}

extension UndoStep.Previous {
  /// The smallest record of a to-many's change, made when a step ends.
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

  /// The current value of a property; nil for a to-many that is not read, whose members record the change on their own
  /// side.
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
