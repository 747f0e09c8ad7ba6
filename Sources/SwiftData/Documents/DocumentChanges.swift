import Foundation
import FoundationSupplements
import Observation
import Support

/// The changes in an open document since it was saved explicitly.
///
/// `@unchecked Sendable`, because saves of other contexts are recorded on any thread, behind a lock. The rest belongs to
/// the isolation of the document.
final class DocumentChanges: @unchecked Sendable, Observable {
  private struct Saves {
    /// Whether another context of the container has saved.
    var areForeign = false
    var isExplicit = false
    /// The copy of the last explicit save. Nil until a later save.
    var last: Result<ScratchFolder, any Error>?
  }

  private let files: DocumentFiles
  private let core: ContainerCore
  private let context: ObjectIdentifier
  private let undoTracker: UndoManager.Tracker
  /// The state of the undo manager at the last explicit save; nil when that save was inside of an undo group.
  private var savedState: UInt64?
  private let saves = Mutex(Saves())
  /// Locked while a copy is made, so that other saves wait for it.
  private let copying = NSLock()
  private let registrar = ObservationRegistrar()
  private var observations: [any NSObjectProtocol] = []

  /// - Parameter previous: The changes of the previous session that were saved and not reverted.
  init(_ files: DocumentFiles, _ context: ModelContext, _ manager: UndoManager, _ previous: DocumentChanges?) {
    (self.files, undoTracker) = (files, manager.tracker())
    self.context = ObjectIdentifier(context)
    core = context.container.core
    savedState = undoTracker.stateIdentifier
    if let last = previous?.saves.withLock({ $0.last }) {
      saves.withLock { $0 = Saves(areForeign: true, last: last) }
    }
    for name: Notification.Name in [
      .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerDidUndoChange,
      .NSUndoManagerDidRedoChange,
    ] {
      observe(name, of: manager) { changes, _ in changes.notifyObservers() }
    }
    observe(ModelContext.willSave) { changes, sender in
      guard let sender = sender as? ModelContext, sender.container.core === changes.core else { return }
      changes.keepLastSave(ObjectIdentifier(sender))
    }
    observe(ModelContext.didSave) { changes, sender in
      guard let sender = sender as? ModelContext, sender.container.core === changes.core else { return }
      if ObjectIdentifier(sender) != changes.context { changes.recordForeignSave() }
    }
  }

  private func observe(
    _ name: Notification.Name, of object: AnyObject? = nil,
    _ body: @escaping @Sendable (DocumentChanges, Any?) -> Void
  ) {
    let observation = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      if let self { body(self, notification.object) }
    }
    observations.append(observation)
  }

  /// Stops observing, and releases the copy of the last save.
  func end() {
    for observation in observations { NotificationCenter.default.removeObserver(observation) }
    observations = []
    copying.withLock { saves.withLock { $0.last = nil } }
  }

  deinit {
    end()
  }

  var isEdited: Bool {
    registrar.access(self, keyPath: \.isEdited)
    return savedState == nil || undoTracker.stateIdentifier != savedState || saves.withLock { $0.areForeign }
  }

  private func notifyObservers() {
    registrar.withMutation(of: self, keyPath: \.isEdited) {}
  }

  private func recordForeignSave() {
    let isFirst = saves.withLock { saves in
      defer { saves.areForeign = true }
      return !saves.areForeign
    }
    if isFirst { notifyObservers() }
  }

  /// Runs `body`, which saves explicitly.
  func savingExplicitly(_ body: () throws -> Void) throws {
    saves.withLock { $0.isExplicit = true }
    do { try body() } catch {
      saves.withLock { $0.isExplicit = false }
      throw error
    }
    recordSaved()
  }

  /// Records that the current state was saved explicitly.
  func recordSaved() {
    copying.withLock { saves.withLock { $0 = Saves() } }
    // Later changes in the same turn of the event loop are not saved, and need a group of their own.
    undoTracker.endEventGroup()
    savedState = undoTracker.stateIdentifier
    notifyObservers()
  }

  /// The copy of the last explicit save; nil when there was no later save.
  ///
  /// - Throws: The error of the copying.
  func lastSave() throws -> URL? {
    try copying.withLock { try saves.withLock { $0.last }?.get() }.map(Self.store)
  }

  private static func store(in scratch: ScratchFolder) -> URL {
    scratch.url.appendingPathComponent("last.store", isDirectory: false)
  }

  /// Copies the saved state before a context saves another one.
  private func keepLastSave(_ sender: ObjectIdentifier) {
    copying.withLock {
      guard saves.withLock({ !($0.isExplicit && sender == context) && $0.last == nil }) else { return }
      let copy = Result {
        try files.type.keepsLastSave ? copyOnThread() : { throw DataStoreError.unsupportedFeature }()
      }
      if case .failure(let error) = copy, files.type.keepsLastSave {
        Log.store.error("\(files.name) cannot be reverted until it is saved explicitly, as copying failed: \(error)")
      }
      saves.withLock { $0.last = copy }
    }
  }

  /// Copies the store on a new thread, because this one may be in a transaction of the store.
  private func copyOnThread() throws -> ScratchFolder {
    let made = try ScratchFolder(in: files.workFolder)
    let url = Self.store(in: made)
    let (core, isDone) = (core, DispatchSemaphore(value: 0))
    let failure = Mutex<(any Error)?>(nil)
    Thread.detachNewThread {
      do { try core.backUp(to: url) } catch { failure.withLock { $0 = error } }
      isDone.signal()
    }
    isDone.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    return made
  }
}
