/// A relationship to any number of models, its members.
protocol ToManyRelationship: RelationshipProperty {
  func put(_ content: _ToManyContent, in model: any PersistentModel)
  /// The members; nil when they are not read.
  func members(of model: any PersistentModel) -> [AnyObject]?
  /// The members as an array of their class.
  func array(of members: [any PersistentModel]) -> Any

  // MARK: The members in the store

  /// Merges members that are read and have pending changes with the members that the store has now: additions and removals
  /// of other contexts are applied, and pending changes stay pending.
  ///
  /// - Parameter hasLeft: Whether a pending change unlinked one of the members.
  func merge(_ model: any PersistentModel, with stored: [AnyObject], hasLeft: (any PersistentModel) -> Bool)
  /// Appends a member that another context has linked, to members that are read. Does not mark a change.
  func append(_ member: any PersistentModel, to model: any PersistentModel)
  /// Stores which members the store has, without making them: the members that `fill` would store.
  func setMemberKeys(_ members: MemberGroup.SectionReference, of model: any PersistentModel)
  /// The members that `setMemberKeys` stored; nil once they are made or outdated.
  func memberKeys(of model: any PersistentModel) -> MemberGroup.SectionReference?
  /// Discards what `setMemberKeys` stored, because the store may have other members by now.
  func discardMemberKeys(of model: any PersistentModel)
  /// Makes the pending additions and removals of unread members committed.
  func complete(_ model: any PersistentModel)

  // MARK: Pending changes

  /// Records in the journal that the members, which are in memory, are about to be replaced.
  func recordMembers(
    of model: any PersistentModel, from members: [any PersistentModel], to new: [any PersistentModel])
  /// Appends a model to the members, all of which are in memory, and records it in the journal.
  func recordAppended(_ member: any PersistentModel, to model: any PersistentModel)
  /// Records in the journal that models are about to be inserted at a position; all members are in memory.
  func recordAdded(_ added: [any PersistentModel], at position: Int, to model: any PersistentModel)
  /// Records in the journal that some of the members, all of which are in memory, are about to be removed.
  func recordRemoved(_ removed: [any PersistentModel], from model: any PersistentModel)
  /// Whether the order of the members differs from the store's.
  func isReordered(_ model: any PersistentModel) -> Bool
  /// The changes that a save writes.
  func membership(of model: any PersistentModel) -> MembershipChange
}

extension ToManyRelationship {
  /// Whether the members are in memory and without pending changes; with pending changes they are merged with the store's.
  func isAsStored(_ model: any PersistentModel) -> Bool {
    isLoaded(model) && model._$withState { !$0.isPending(index) }
  }

  /// Lets the next access read the members again, unless they have pending changes.
  func invalidate(_ model: any PersistentModel) {
    discardMemberKeys(of: model)
    guard isAsStored(model) else { return }
    releaseTargets(of: model)
    recordChange(of: model)
  }
}

/// The difference between a to-many's members in the store and in memory.
struct MembershipChange {
  var added: [any PersistentModel] = []
  var removed: [any PersistentModel] = []
  /// Members that get new positions before the rest, in this order.
  var placedFirst: [any PersistentModel] = []
  /// Members that get new positions behind the rest, in this order. Each added member is placed first or last.
  var placedLast: [any PersistentModel] = []

  var isEmpty: Bool {
    added.isEmpty && removed.isEmpty && placedFirst.isEmpty && placedLast.isEmpty
  }
}
