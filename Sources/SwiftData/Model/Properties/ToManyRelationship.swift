/// A property that leads to any number of models, its members.
protocol ToManyRelationship: RelationshipProperty {
  func put(_ content: _ToManyContent, in model: any PersistentModel)
  /// The members; nil when they are not read.
  func members(of model: any PersistentModel) -> [AnyObject]?
  /// The members as an array of their class.
  func array(of members: [any PersistentModel]) -> Any

  // MARK: What the store has

  /// Brings members that are read, and have pending changes, up to those that the store has now: what others added and
  /// removed is added and removed, and what is pending stays pending.
  ///
  /// - Parameter hasLeft: Whether a pending change took one of the members away.
  func merge(_ model: any PersistentModel, with stored: [AnyObject], hasLeft: (any PersistentModel) -> Bool)
  /// Adds a member at the end of those that are read, as others have saved it. Nothing counts as changed.
  func append(_ member: any PersistentModel, to model: any PersistentModel)
  /// Says which members the store has, without making them: they are what `fill` would bring.
  func await(_ members: MemberGroup.Section, of model: any PersistentModel)
  /// What `await` said, until the members are made or may be others by now.
  func awaited(of model: any PersistentModel) -> MemberGroup.Section?
  /// Forgets what `await` said, because the store may have others by now.
  func forgetAwaited(of model: any PersistentModel)
  /// Takes the pending additions and removals of unread members as done.
  func complete(_ model: any PersistentModel)

  // MARK: Pending changes

  /// Notes in the journal that there are about to be other members, all of which are known.
  func recordMembers(
    of model: any PersistentModel, from members: [any PersistentModel], to new: [any PersistentModel])
  /// Puts a model at the end of the members, all of which are in memory, and notes it in the journal.
  func recordAppended(_ member: any PersistentModel, to model: any PersistentModel)
  /// Notes in the journal that models are about to come to a place among the members, all of which are in memory.
  func recordAdded(_ added: [any PersistentModel], at place: Int, to model: any PersistentModel)
  /// Notes in the journal that some of the members, all of which are in memory, are about to go.
  func recordRemoved(_ removed: [any PersistentModel], from model: any PersistentModel)
  /// Whether members stand in another order than in the store.
  func isReordered(_ model: any PersistentModel) -> Bool
  /// What a save has to do.
  func membership(of model: any PersistentModel) -> MembershipChange
}

extension ToManyRelationship {
  /// Whether the members are in memory as the store had them: those with pending changes are merged with what it has.
  func isAsStored(_ model: any PersistentModel) -> Bool {
    isLoaded(model) && model._$withState { !$0.isPending(index) }
  }

  /// Has the next access read the members again, unless they have pending changes.
  func invalidate(_ model: any PersistentModel) {
    forgetAwaited(of: model)
    guard isAsStored(model) else { return }
    release(model)
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
