import Dispatch
import Foundation
internal import ReferenceCounts
import Support

// A graph lives as long as somebody holds its context, or one of its models after that. No reference is counted for a
// row: when the context is let go, the graph passes to the models that somebody holds, its *heirs*, and ends with the
// last of them.
//
// Somebody outside holds a model if it is there although nothing inside holds it. Inside are the storage of
// relationships and the lists of unsaved changes. So relationships without unsaved changes are emptied, and read
// again when they are touched; what has no unsaved changes and is still there is an heir. From then on nothing inside
// may hold an heir, or nobody would notice when the last one outside lets go:
//
// - Storage that is filled from the store does not keep heirs; its accessor looks them up each time.
// - A change that makes something inside hold an heir ends its being one (`disinherit`).
//
// When all models that somebody holds have unsaved changes, there is one heir that the lists let go of; see
// `ObjectGraph+LastHeir.swift`.
//
// A model that is going away on another thread is none of them, and needs the graph until it is buried: see
// `Occupancy`.
extension ObjectGraph {
  /// Who keeps the graph.
  struct Lifetime {
    /// The context that somebody holds.
    var reference = UncountedReference<ModelContext>()
    /// Whether there may be a context: false as soon as the graph has heard of its end.
    var isOpen = false
    /// The graph itself, for its heirs.
    var keeper: ObjectGraph?
    var heirCount = 0
    var lastHeir: LastHeir?
    /// How many last heirs are going away whose place was taken before they are buried.
    var replacedCount = 0
    /// How many last heirs went away one after the other.
    var successionCount = 0
    /// Whether the graph waits for a call of its isolation, or for the last of its models: see
    /// `ObjectGraph+Orphan.swift`.
    var isOrphan = false
    /// Whether a timer is set that will look whether anybody holds the models.
    var isWatched = false
    /// How many models have gone away.
    var burialCount = 0
    /// How often the graph was passed on.
    var passCount = 0
  }

  /// The context of the graph: the one that somebody holds, or a new one.
  var context: ModelContext {
    lifetime.reference.object ?? ModelContext(self)
  }

  func opened(_ context: ModelContext) {
    // Passed on at once: an orphan that is left by one context after the other would be looked through each time.
    if lifetime.isOrphan { alone {} }
    alone {
      lifetime.reference = UncountedReference(context)
      lifetime.isOpen = true
      lifetime.successionCount = 0
      if lifetime.lastHeir != nil { holdLastHeir() }
    }
  }

  /// Called when nobody holds the context any more.
  func closed() {
    // Whoever lets go of a container can be on any thread, but the models of its main context are the main actor's.
    guard isMain, !MainQueue.isCurrent else { return buryContext() }
    let reference = MainReference(graph: self)
    DispatchQueue.main.async { reference.graph.buryContext() }
  }

  /// Nobody holds the context any more: `settle` has to find out who keeps the graph.
  func noteEnd() {
    // There may be another one by now.
    lifetime.isOpen = lifetime.reference.object != nil
    if lifetime.isOpen || lifetime.keeper != nil { return }
    lifetime.keeper = self
    noteHearing()
  }

  /// Carries the graph of a main context to the main queue, which is its isolation.
  private struct MainReference: @unchecked Sendable {
    let graph: ObjectGraph
  }

  /// Passes the graph on if it has neither a context nor an heir. It is for the end of the outermost call: inside of
  /// one both sides of a relationship need not agree.
  func settle() {
    guard isUnsettled else { return }
    lifetime.isOrphan = false
    // What keeps the graph may go now, but not before the end of this call.
    let keeper = lifetime.keeper
    untilNobodyGoes {
      lifetime.keeper = nil
      if !lifetime.isOpen { passOn() }
      noteHearing()
      checkInvariants()
    }
    withExtendedLifetime(keeper) {}
  }

  /// Runs `body`, which holds models while it looks at them. Runs it again when it was the last to let go of one of
  /// them.
  func untilNobodyGoes(_ body: () -> Void) {
    var burialCount: Int
    repeat {
      burialCount = lifetime.burialCount
      body()
    } while isUnsettled && lifetime.burialCount != burialCount
  }

  /// Whether the graph waits for `settle`.
  @inline(__always)
  var isUnsettled: Bool {
    lifetime.keeper != nil && lifetime.heirCount == 0
  }

  /// Has accessors know whether the graph is kept by anything but its context, or is being saved.
  func noteHearing() {
    hearsChanges.store(
      lifetime.keeper != nil || lifetime.lastHeir != nil || saving.isWriting || changeObserver != nil,
      ordering: .relaxed)
  }

  private func passOn() {
    lifetime.passCount &+= 1
    for model in registeredModels { empty(model) }
    let (held, holdsDeparted) = heldInside()
    if holdsDeparted, !isHeldOutside { return end() }
    for model in registeredModels where !hasChanges(model) && !held.contains(ObjectIdentifier(model)) {
      model._$withState { $0.heirdom = .heir }
      lifetime.heirCount += 1
    }
    if lifetime.heirCount == 0 { appointLastHeir() }
    if !hasHeirs { end() }
    if hasHeirs || isAwaitingDeaths { lifetime.keeper = self }
  }

  /// Whether models are going away that are not buried.
  private var isAwaitingDeaths: Bool {
    lifetime.replacedCount > 0 || maps.contains { !$0.isEmpty }
  }

  /// Empties the relationships of a model that have no unsaved changes.
  private func empty(_ model: any PersistentModel) {
    guard let binding = model._$withState({ $0.binding }) else { return }
    for rule in binding.relationshipRules where model._$withState({ !$0.isPending(rule.property.index) }) {
      rule.property.release(model)
    }
  }

  func hasChanges(_ model: any PersistentModel) -> Bool {
    model._$withState { $0.changes != nil || $0.status != .registered }
  }

  /// The models that unsaved changes lead to, and whether some of them have left the context. These hold what they lead
  /// to, as if they were outside.
  private func heldInside() -> (models: Set<ObjectIdentifier>, holdsDeparted: Bool) {
    var held: Set<ObjectIdentifier> = []
    var holdsDeparted = false
    visitInside { _, target in
      held.insert(ObjectIdentifier(target))
      if target._$withState({ $0.graphIdentity == nil }) { holdsDeparted = true }
    }
    return (held, holdsDeparted)
  }

  /// Nobody holds a model any more: what is not saved is forgotten.
  private func end() {
    reportLostChanges()
    for model in registeredModels { detach(model) }
    for model in journal.takeInserted() { detach(model) }
    _ = journal.takeChanged()
    _ = journal.takeDeleted()
  }

  /// Logs that the context ends with unsaved changes, once for each entity.
  private func reportLostChanges() {
    if autosaveEnabled || journal.isEmpty { return }
    var entity: String?
    journal.inserted.visit { _, model in entity = entity ?? model._$withState { $0.withBinding { $0.entity.name } } }
    let words = entity.map { "an inserted \($0)" } ?? "a changed or deleted model"
    Notice.say(
      "A context was released with unsaved changes, which are lost, such as \(words). Call save() before.",
      to: Log.model)
  }

  private func detach(_ model: any PersistentModel) {
    model._$withState { $0.leave($0.status == .inserted ? .plain : $0.status == .deleted ? .gone : $0.status) }
    for property in ModelRuntime.of(model).relationships { property.release(model) }
  }

  // MARK: Heirs

  var hasHeirs: Bool { lifetime.heirCount > 0 }

  func isHeir(_ object: AnyObject) -> Bool {
    (object as? any PersistentModel)?._$withState { $0.heirdom != .none } ?? false
  }

  /// The target of a to-one whose storage may not hold it.
  func heir(_ key: Int64, _ property: any RelationshipProperty) -> (any PersistentModel)? {
    guard hasHeirs else { return nil }
    if let heir = lifetime.lastHeir?.living, heir._$withState({ $0.key == key }), property.accepts(type(of: heir)) {
      return heir
    }
    guard let destination = binding(for: property.destinationType), let target = target(key, property, destination),
      target._$withState({ $0.heirdom != .none })
    else { return nil }
    return target
  }

  /// The registered model that a to-one leads to by a key, unless it is one of a class that the relationship cannot
  /// lead to: classes that inherit from one another share a table, and a file may have the key of any of its rows.
  func target(
    _ key: Int64, _ property: any RelationshipProperty, _ destination: EntityBinding
  ) -> (any PersistentModel)? {
    guard let target = destination.map.model(key), !destination.isPolymorphic || property.accepts(type(of: target))
    else {
      return nil
    }
    return target
  }

  /// Something inside is about to hold a model, or it leaves the context.
  @inline(__always)
  func willHold(_ model: any PersistentModel) {
    if model._$withState({ $0.heirdom != .none }) { disinherit(model) }
  }

  /// Ends a model's being an heir: something inside is about to hold it, or it leaves the context.
  func disinherit(_ model: any PersistentModel) {
    if model._$withState({ $0.heirdom == .last }) { return holdLastHeir() }
    model._$withState { $0.heirdom = .none }
    lifetime.heirCount -= 1
  }

  /// An heir has gone away.
  func heirDied(_ heirdom: Heirdom) {
    if heirdom == .last { return lastHeirDied() }
    lifetime.heirCount -= 1
  }

  // MARK: The main context

  /// Has the main context take in what others save as soon as the main queue is free.
  func listen() {
    let reference = UncheckedReference(graph: self)
    inbox.onPost { DispatchQueue.main.async { reference.graph?.attemptToProcessInbox() } }
  }
}
