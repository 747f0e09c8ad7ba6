internal import Foundation
internal import FoundationSupplements
import Synchronization

/// Registers the changes of a context's models with an undo manager.
///
/// The changes between two events at which the manager begins or ends a group are one step, and one action of the manager.
/// Undoing an action makes ordinary changes: they are recorded in the journal, written by the next save, and recorded here
/// as a step of their own, for redo.
///
/// A step is registered with the manager at the end of the call that makes changes, because the manager notifies observers,
/// which may change anything.
final class UndoRecorder {
  /// The number of recorders: while it is zero, a change makes no other checks.
  private static let count = Atomic<Int>(0)

  @inline(__always)
  static var areThereAny: Bool { count.load(ordering: .relaxed) > 0 }

  let manager: UndoManager
  private let tracker: UndoManager.Tracker
  private unowned let graph: ObjectGraph
  private var current: UndoStep?
  private var isRegistered = false
  /// Ended steps that are not registered with the manager yet.
  private var waiting: [UndoStep] = []
  /// The action of the current step, as long as the manager retains it.
  private weak var action: Action?
  /// The manager's count of begun and ended groups when the step was registered.
  private var groupChangeCount = 0
  private var suspensionCount = 0
  /// The steps of the manager's actions.
  private var steps: [ObjectIdentifier: UndoStep] = [:]
  private var deletions = UndoneDeletions()

  init(_ manager: UndoManager, _ graph: ObjectGraph) {
    self.manager = manager
    tracker = manager.tracker()
    self.graph = graph
    Self.count.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    Self.count.wrappingSubtract(1, ordering: .relaxed)
  }

  // MARK: Recording

  /// The step that changes are added to; nil where changes are not undoable.
  private var step: UndoStep? {
    guard suspensionCount == 0, manager.isUndoRegistrationEnabled, graph.undoRecorder === self else { return nil }
    if let current, !isRegistered || action != nil && groupChangeCount == tracker.groupChangeCount { return current }
    end()
    let step = UndoStep()
    current = step
    return step
  }

  /// Records the value of a property that is about to change.
  func recordChange(of property: _ModelProperty, _ model: any PersistentModel) {
    guard let step, step.needs(property.index, of: model) else { return }
    do {
      // A value that is read later would not be the previous one. Targets are recorded as objects, because a model has
      // another key once its saved deletion is undone.
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

  /// Records that the members of a to-many are about to change.
  func record(_ change: UndoStep.MemberChange, of property: _ModelProperty, _ model: any PersistentModel) {
    guard let step, !step.record(change, of: property, model) else { return }
    recordChange(of: property, model)
  }

  func recordInsertion(of model: any PersistentModel) {
    step?.recordInsertion(of: model)
  }

  /// Records a model that is about to be deleted, with its relationships.
  ///
  /// - Parameter unlinks: Whether the deletion also unlinks the model from the target of a property, which records the
  ///   target's members.
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

  /// Records the value of a property that is about to lose deleted targets whose deletion did not unlink them. It is added
  /// to the steps that deleted them.
  func recordLoss(of property: any RelationshipProperty, _ model: any PersistentModel) {
    let targets = property.loadedTargets(of: model)
    recordLoss(of: property, model, targets, left: targets.filter { $0._$withState { $0.isLive } })
  }

  /// - Parameters:
  ///   - targets: The value of the property when all targets are restored.
  ///   - left: The targets that are not deleted.
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

  /// Runs `body` without recording its changes.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    suspensionCount += 1
    defer { suspensionCount -= 1 }
    return try body()
  }

  /// Ends the step, so that later changes are undone separately.
  func end() {
    current?.close()
    if let current, !isRegistered, !current.isEmpty { waiting.append(current) }
    current = nil
    isRegistered = false
  }

  /// Ends the step and the manager's group of the current event.
  func endEvent() {
    register()
    end()
    tracker.endEventGroup()
  }

  /// Removes all undo actions of the context.
  ///
  /// - Parameter includingOthers: Whether the manager also removes the actions of other targets.
  func removeAll(includingOthers: Bool = false) {
    if includingOthers { manager.removeAllActions() } else { manager.removeAllActions(withTarget: self) }
    current = nil
    isRegistered = false
    waiting = []
    steps = [:]
    deletions = UndoneDeletions()
  }

  // MARK: Actions

  /// Registers steps that are not registered. Called at the end of a call.
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
    groupChangeCount = tracker.groupChangeCount
    // The manager has no open group, so the action was a group by itself.
    if manager.groupingLevel == 0 { end() }
  }

  @discardableResult
  private func registerAction(of step: UndoStep) -> Action {
    let action = Action(self)
    steps[ObjectIdentifier(action)] = step
    manager.registerUndo(withTarget: self) { $0.execute(action) }
    return action
  }

  /// The manager's reference to a step. The step is released when the manager releases this object, or when the context is
  /// released: a manager that lives longer retains no models.
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
    // Merged first, so that the step does not link models that other contexts have deleted.
    graph.attemptToProcessInbox()
    graph.exclusively { graph.undo(step) }
    graph.didChange()
    // An observer may have removed the manager from the context.
    guard graph.undoRecorder === self else { return }
    // A step that changes nothing any more is registered as well, so that undo and redo stay in balance.
    if current == nil, let step = self.step { register(step) }
    end()
  }
}
