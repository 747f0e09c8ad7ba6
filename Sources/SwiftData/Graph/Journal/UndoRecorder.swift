internal import FoundationSupplements
import Synchronization

/// Has an undo manager know what a context's models change.
///
/// What is changed between two moments at which the manager begins or ends a group is one step, and one action of the
/// manager. An action that is undone is a change like any other: it is noted in the journal, saved by the next save, and
/// noted here in a step of its own, by which it is done again.
///
/// A step is handed to the manager at the end of the call that changes something, because the manager tells observers,
/// who may do anything.
final class UndoRecorder {
  /// How many there are: where there is none, a change asks for nothing else.
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var areThereAny: Bool { count.load(ordering: .relaxed) > 0 }

  let manager: UndoManager
  private unowned let graph: ObjectGraph
  private var current: UndoStep?
  private var isRegistered = false
  /// Steps that are over and that the manager does not know yet.
  private var waiting: [UndoStep] = []
  /// The action of the step, for as long as the manager has it.
  private weak var action: Action?
  /// How often the manager had begun or ended groups when the step was handed to it.
  private var groupChangeCount = 0
  private var suspensionCount = 0
  /// The steps that the manager has actions of.
  private var steps: [ObjectIdentifier: UndoStep] = [:]
  private var deletions = UndoneDeletions()

  init(_ manager: UndoManager, _ graph: ObjectGraph) {
    self.manager = manager
    self.graph = graph
    Self.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    Self.count.wrappingSubtract(1, ordering: .relaxed)
  }

  // MARK: Notes

  /// The step that changes belong to; nil where they are not to be undone.
  private var step: UndoStep? {
    guard suspensionCount == 0, manager.isUndoRegistrationEnabled, graph.undoRecorder === self else { return nil }
    if let current, !isRegistered || action != nil && groupChangeCount == manager.groupChangeCount { return current }
    end()
    let step = UndoStep()
    current = step
    return step
  }

  /// Notes what a property has that is about to change.
  func recordChange(of property: _ModelProperty, _ model: any PersistentModel) {
    guard let step, step.needs(property.index, of: model) else { return }
    do {
      // What is read later would not be what there was, and a model is named by itself: once a saved deletion of it is
      // undone, it has another key.
      if !property.isLoaded(model), model._$withState({ $0.status == .persistent }) {
        if let relationship = property.relationship {
          _ = try relationship.targets(of: model)
        } else {
          try graph.faulting.readRow(of: model)
        }
      }
    } catch {
      return graph.record(error)
    }
    if let previous = UndoStep.Previous(property, of: model) { step.record(previous, of: property, model) }
  }

  /// Notes how the members of a to-many are about to change.
  func record(_ change: UndoStep.MemberChange, of property: _ModelProperty, _ model: any PersistentModel) {
    guard let step, !step.record(change, of: property, model) else { return }
    recordChange(of: property, model)
  }

  func recordInsertion(of model: any PersistentModel) {
    step?.recordInsertion(of: model)
  }

  /// Notes a model that is about to be deleted, with what it leads to.
  ///
  /// - Parameter unlinks: Whether the deletion also unlinks the model from the target of a property, which notes the members
  ///   of the target.
  func recordDeletion(of model: any PersistentModel, unlinks: (_ property: _ModelProperty) -> Bool) {
    guard let step else { return }
    for property in ModelRuntime.of(model).relationships {
      if step.needs(property.index, of: model), let previous = UndoStep.Previous(property, of: model) {
        step.record(previous, of: property, model)
      }
      guard property.toOne != nil, !unlinks(property), let target = property.loadedTarget(of: model),
        let inverse = property.inverse(for: model)?.toMany, step.needs(inverse.index, of: target)
      else { continue }
      if let previous = UndoStep.Previous(inverse, of: target) { step.record(previous, of: inverse, target) }
    }
    step.recordDeletion(of: model)
    deletions.record(step, model)
  }

  /// Notes what a property has that is about to lose models whose deletion was told to nobody. It is part of what deleted
  /// them.
  func recordLoss(of property: any RelationshipProperty, _ model: any PersistentModel) {
    let targets = property.loadedTargets(of: model)
    recordLoss(of: property, model, targets, left: targets.filter { $0._$withState { $0.isLive } })
  }

  /// - Parameters:
  ///   - targets: What the property is to have once all of them are there.
  ///   - left: Those that are.
  func recordLoss(
    of property: any RelationshipProperty, _ model: any PersistentModel, _ targets: [any PersistentModel],
    left: [any PersistentModel]
  ) {
    if left.count == targets.count { return }
    let previous = property.toMany == nil ? .target(targets.first) : UndoStep.Previous(targets, after: left)
    for target in targets where !target._$withState({ $0.isLive }) {
      for step in deletions.steps(of: target) where step.needs(property.index, of: model) {
        step.record(previous, of: property, model)
      }
    }
  }

  /// Runs what is not to be undone.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    suspensionCount += 1
    defer { suspensionCount -= 1 }
    return try body()
  }

  /// Ends the step, so that what comes is undone by itself.
  func end() {
    current?.close()
    if let current, !isRegistered, !current.isEmpty { waiting.append(current) }
    current = nil
    isRegistered = false
  }

  /// Ends the step and the manager's group of the present event.
  func endEvent() {
    register()
    end()
    manager.endEventGroup()
  }

  /// Forgets all that could be undone.
  ///
  /// - Parameter includingOthers: Whether the manager forgets what others have registered as well.
  func removeAll(includingOthers: Bool = false) {
    if includingOthers { manager.removeAllActions() } else { manager.removeAllActions(withTarget: self) }
    current = nil
    isRegistered = false
    waiting = []
    steps = [:]
    deletions = UndoneDeletions()
  }

  // MARK: Actions

  /// Has the manager know of a step that it does not know. Called when a call is over.
  func register() {
    if !waiting.isEmpty {
      let ended = waiting
      waiting = []
      for step in ended { registerAction(of: step) }
    }
    guard let current, !isRegistered, !current.isEmpty else { return }
    register(current)
  }

  private func register(_ step: UndoStep) {
    isRegistered = true
    action = registerAction(of: step)
    groupChangeCount = manager.groupChangeCount
    // It was a group by itself.
    if manager.groupingLevel == 0 { end() }
  }

  @discardableResult
  private func registerAction(of step: UndoStep) -> Action {
    let action = Action(self)
    steps[ObjectIdentifier(action)] = step
    manager.registerUndo(withTarget: self) { $0.execute(action) }
    return action
  }

  /// What the manager has of a step. The step itself goes when the manager forgets this, or the context goes: a manager
  /// that is held for longer keeps no models.
  private final class Action {
    private weak var recorder: UndoRecorder?

    init(_ recorder: UndoRecorder) {
      self.recorder = recorder
    }

    deinit {
      recorder?.forget(ObjectIdentifier(self))
    }
  }

  private func forget(_ action: ObjectIdentifier) {
    guard let step = steps.removeValue(forKey: action), step === current else { return }
    current = nil
    isRegistered = false
  }

  private func execute(_ action: Action) {
    guard let step = steps[ObjectIdentifier(action)] else { return }
    end()
    step.close()
    // What other contexts have deleted meanwhile is not led to again.
    graph.attemptToProcessInbox()
    graph.exclusively { graph.takeBack(step) }
    graph.didChange()
    // An observer may have taken the manager from the context.
    guard graph.undoRecorder === self else { return }
    // What changed nothing, or is gone, is undone and done again all the same.
    if current == nil, let step = self.step { register(step) }
    end()
  }
}
