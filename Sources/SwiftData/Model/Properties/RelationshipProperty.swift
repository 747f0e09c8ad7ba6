/// A property that leads to other models: a ``ToOneRelationship`` or a ``ToManyRelationship``.
///
/// The operations work on one side only. The code that changes a side keeps its inverse in step; `RelationshipLinks` does
/// so for the accessors.
protocol RelationshipProperty: _ModelProperty {
  var destinationType: any PersistentModel.Type { get }

  /// Calls `body` for the targets that are in memory, without asking the store.
  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void)
  /// The target of a to-one that is in memory, or any of a to-many's.
  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)?
  /// Whether a model is a target, as far as those are in memory.
  func hasTarget(_ target: any PersistentModel, _ model: any PersistentModel) -> Bool
  /// Whether models of a type can be targets.
  func accepts(_ type: any PersistentModel.Type) -> Bool

  /// Puts what the store gave in place: models of types that `accepts` lets pass. Nothing counts as changed.
  func fill(_ model: any PersistentModel, with targets: [AnyObject])
  /// Sets the property to models, as an assignment would.
  func assign(targets: [any PersistentModel], to model: any PersistentModel)
  /// Takes targets out of what an unsaved model has, one with pending changes, or one whose row is gone, without a note of
  /// it in the journal.
  func drop(from model: any PersistentModel, where isDropped: (any PersistentModel) -> Bool)
  /// Gives up the targets held, to break cycles of models that nobody will use again.
  func release(_ model: any PersistentModel)
  /// Forgets the targets, so that the store is asked for them again.
  func unload(_ model: any PersistentModel)

  /// Tells the other side of targets that an initializer set.
  func linkBack(from model: any PersistentModel)
  /// Makes the targets what an initializer would have left: the other side does not know of them.
  func markOneSided(_ model: any PersistentModel)
  /// The storage that makes models the targets, of which the other side does not know.
  func oneSidedSlot(_ targets: [any PersistentModel]) -> Any
  /// Makes `member` a target of `owner`, as a change.
  func link(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Takes back that a member went, whose own side is as the store has it.
  func linkAgain(_ member: any PersistentModel, to owner: any PersistentModel)
  /// Reads what `unlink` has to know of `owner`.
  func prepareToUnlink(from owner: any PersistentModel) throws
  /// Makes `member` no target of `owner` any more, as a change.
  func unlink(_ member: any PersistentModel, from owner: any PersistentModel)
  /// Puts `replacement`, or nothing, where `member` stood, without marking a change.
  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel)
}

extension RelationshipProperty {
  func loadedTargets(of model: any PersistentModel) -> [any PersistentModel] {
    var targets: [any PersistentModel] = []
    forEachLoadedTarget(of: model) { targets.append($0) }
    return targets
  }

  func inverse(for model: any PersistentModel) -> (any RelationshipProperty)? {
    let binding = model._$withState { $0.binding }
    return (binding?.runtime ?? ModelRuntime.of(model)).inverse(of: self)
  }
}

/// A property that leads to one model at most.
protocol ToOneRelationship: RelationshipProperty {
  var isRequired: Bool { get }

  func put(_ content: _ToOneContent, in model: any PersistentModel)
  /// The key of a target that is not looked up yet.
  func unresolvedKey(of model: any PersistentModel) -> Int64?
  /// Puts the target in place, whose key is known. Nothing counts as changed.
  func resolve(_ model: any PersistentModel, to target: (any PersistentModel)?)
}

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
  func settle(_ model: any PersistentModel)

  // MARK: Pending changes

  /// Notes in the journal that there are about to be other members, all of which are known.
  func noteMembers(
    of model: any PersistentModel, from members: [any PersistentModel], to new: [any PersistentModel])
  /// Puts a model at the end of the members, all of which are in memory, and notes it in the journal.
  func noteAppended(_ member: any PersistentModel, to model: any PersistentModel)
  /// Notes in the journal that models are about to come to a place among the members, all of which are in memory.
  func noteAdded(_ added: [any PersistentModel], at place: Int, to model: any PersistentModel)
  /// Notes in the journal that some of the members, all of which are in memory, are about to go.
  func noteRemoved(_ removed: [any PersistentModel], from model: any PersistentModel)
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
    noteChange(of: model)
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
