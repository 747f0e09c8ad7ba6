import SwiftData

@testable import TestSupport

extension GraphRun {
  func save(_ side: GraphSide) throws {
    // A save without changes must not affect the other context's pending changes.
    guard !side.isClean else { return try side.context.save() }
    var view = side.view
    let inserted = view.inserted
    guard let outcome = view.save() else { return try refuse(side) }
    meaning += " saves; merged \(outcome.merged)"
    let held = side.live
    try side.context.save()
    side.view = view
    saved = view
    for handle in inserted {
      guard let model = held[handle] else { continue }
      handles = handles.filter { $0.value != handle || identifiers[handle] != nil }
      guard outcome.merged[handle] == nil else { continue }
      let identifier = model.persistentModelID
      if identifier.isTemporary { throw Mismatch("\(handle) has a temporary identifier after the save") }
      if handles[identifier] != nil { throw Mismatch("\(handle) got the identifier of \(handles[identifier] ?? 0)") }
      if model.hasChanges { throw Mismatch("\(handle) has changes after the save") }
      identifiers[handle] = identifier
      handles[identifier] = handle
    }
    for (handle, owner) in outcome.merged { try takeOver(handle, owner, side, held) }
    side.clearEdits()
    if side.context.hasChanges { throw Mismatch("the context has changes after the save") }
    for other in sides where other !== side { try pass(to: other) }
    try compare(side, view, ignoringOrderOf: outcome.unordered)
    try compareInNewContext()
    for other in sides where other !== side {
      other.context.processPendingChanges()
      try compare(other, other.view)
    }
  }

  /// A save that breaks a rule throws and leaves all changes pending.
  private func refuse(_ side: GraphSide) throws {
    meaning += " refused"
    do {
      try side.context.save()
    } catch is SwiftDataError {
      if !side.context.hasChanges { throw Mismatch("a save that failed left nothing pending") }
      try compare(side, side.view)
      try compareInNewContext()
      try rollback(side)
      return
    }
    throw Mismatch("two models were saved with the same unique value")
  }

  /// The model that had the row stays; the inserted one leaves.
  private func takeOver(_ handle: Int, _ owner: Int, _ side: GraphSide, _ held: [Int: any GraphModel]) throws {
    guard let model = side.live.removeValue(forKey: handle) else { return }
    let survivor = try object(owner, side)
    if let known = held[owner], known !== survivor || known.modelContext != side.context {
      throw Mismatch("the object of \(owner) did not survive the upsert by \(handle)")
    }
    if model.modelContext == nil {
      recordDeleted(model)
    } else if model !== survivor {
      throw Mismatch("\(handle) and \(owner) are two objects of one row")
    }
  }

  /// Applies a context's unsaved attribute edits to the values that the other context saved.
  private func pass(to side: GraphSide) throws {
    let edits = side.edits
    var view = saved
    for edit in edits where view.things[edit.handle] != nil {
      if let text = edit.text { view.set(edit.handle, text: text) } else { view.set(edit.handle, number: edit.number) }
    }
    side.view = view
    for (handle, model) in side.live where view.things[handle] == nil {
      side.live[handle] = nil
      recordDeleted(model)
    }
  }

  func rollback(_ side: GraphSide) throws {
    let inserted = side.live.filter { identifiers[$0.key] == nil }
    side.context.rollback()
    for (handle, model) in inserted {
      handles[handles.first { $0.value == handle }?.key ?? model.persistentModelID] = nil
      side.live[handle] = nil
      if model.modelContext != nil { throw Mismatch("\(handle) belongs to the context after a rollback") }
      recordDeleted(model)
    }
    side.view = saved
    side.clearEdits()
    if side.context.hasChanges { throw Mismatch("the context has changes after a rollback") }
    try compare(side, saved)
  }

  func recordDeleted(_ model: any GraphModel) {
    gone.append(model)
    if gone.count > 20 { gone.removeFirst() }
  }

  /// Reads all properties of deleted models, which must not trap.
  func readDeletedModels() {
    for model in gone {
      _ = model.text
      _ = model.number
      for kind in Kind.allCases where kind.type == type(of: model) {
        for relation in kind.relations { _ = model.targets(relation).map(\.text) }
      }
    }
  }
}
