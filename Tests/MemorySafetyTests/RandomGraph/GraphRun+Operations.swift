import Foundation
import SwiftData

@testable import TestSupport

extension GraphRun {
  func perform(_ operation: GraphOperation, _ side: GraphSide) throws {
    let isFull = side.view.things.count > Self.sizeLimit
    switch operation.action {
    case .delete: try delete(operation, side)
    case .insert where isFull, .insertLinked where isFull: try delete(operation, side)
    case .insert: try insert(operation, side, isLinked: false)
    case .insertLinked: try insert(operation, side, isLinked: true)
    case .setText: try setText(operation, side)
    case .setNumber: try setNumber(operation, side)
    case .setOne, .append, .remove, .shuffle, .replaceAll: try link(operation, side)
    case .save: try save(side)
    case .rollback: try rollback(side)
    case .reopen: try reopen()
    case .forget: side.live = side.live.filter { identifiers[$0.key] == nil || ($0.key + operation.first) % 2 == 0 }
    case .fetch: try fetch(operation, side)
    case .readGone: readDeletedModels()
    }
  }

  /// Saves the other contexts first where their changes would conflict with those of this one.
  private func prepare(_ side: GraphSide, forGraphChange isGraphChange: Bool) throws {
    for other in sides where other !== side && !other.isClean && (isGraphChange || other.hasGraphChanges) {
      try save(other)
      side.context.processPendingChanges()
    }
    if isGraphChange { side.hasGraphChanges = true }
  }

  private func pick(_ number: Int, _ kind: Kind?, _ side: GraphSide) -> Int? {
    let all = kind.map(side.view.handles) ?? side.view.things.keys.sorted()
    return all.isEmpty ? nil : all[number % all.count]
  }

  /// A unique value: mostly a new one, sometimes one that exists or existed.
  private func code(_ operation: GraphOperation, _ side: GraphSide) -> String {
    let used =
      (side.view.handles(.player).compactMap { side.view.things[$0]?.text }
        + saved.handles(.player).compactMap { saved.things[$0]?.text })
    guard operation.third % 4 == 0, !used.isEmpty else { return "code \(nextHandle)" }
    return used[operation.third / 4 % used.count]
  }

  private func insert(_ operation: GraphOperation, _ side: GraphSide, isLinked: Bool) throws {
    try prepare(side, forGraphChange: true)
    let relation = Relation.allCases[operation.first % Relation.allCases.count]
    let kind = isLinked ? relation.source : Kind.allCases[operation.first % Kind.allCases.count]
    var targets: [Int] = []
    if isLinked, let target = pick(operation.second, relation.destination, side) {
      targets = [target]
      if relation.isToMany, let second = pick(operation.third, relation.destination, side), second != target {
        targets.append(second)
      }
    }
    let text = kind == .player ? code(operation, side) : "\(kind) \(nextHandle)"
    let handle = nextHandle
    nextHandle += 1
    let objects = try targets.map { try object($0, side) }
    meaning = "\(handle) = \(kind) \"\(text)\" \(targets.isEmpty ? "" : "\(relation) \(targets)")"
    side.view.insert(handle, kind, text: text)
    let made: any GraphModel
    switch operation.third % 3 {
    case 0:
      made = kind.make(text, relation, objects)
      if let first = targets.first { meaning += " by initializer, \(first)" }
      side.context.insert(made)
      side.view.assignNew(handle, relation, targets)
    case 1 where !targets.isEmpty:
      // The registered model inserts the new one.
      meaning += " by the other side"
      made = kind.make(text, nil, [])
      for (target, object) in zip(targets, objects) {
        let inverse = relation.inverse
        let members = inverse.isToMany ? side.view.links(target, inverse) + [handle] : [handle]
        object.assign(inverse, inverse.isToMany ? object.targets(inverse) + [made] : [made])
        side.view.assign(target, inverse, members)
      }
    default:
      made = kind.make(text, nil, [])
      if targets.isEmpty { side.context.insert(made) } else { made.assign(relation, objects) }
      side.view.assignNew(handle, relation, targets)
    }
    side.live[handle] = made
    handles[made.persistentModelID] = handle
    if made.modelContext != side.context { throw Mismatch("\(handle) was not registered") }
  }

  private func setText(_ operation: GraphOperation, _ side: GraphSide) throws {
    guard let handle = pick(operation.first, nil, side) else { return }
    let isCode = side.view.things[handle]?.kind == .player
    try prepare(side, forGraphChange: isCode)
    guard side.view.things[handle] != nil else { return }
    let text = isCode ? code(operation, side) : "text \(operation.second)"
    nextHandle += 1
    meaning = "\(handle) to \(text)"
    try object(handle, side).text = text
    side.view.set(handle, text: text)
    side.edits.append(GraphSide.Edit(handle: handle, text: text, number: nil))
  }

  private func setNumber(_ operation: GraphOperation, _ side: GraphSide) throws {
    try prepare(side, forGraphChange: false)
    guard let handle = pick(operation.first, nil, side) else { return }
    let number = operation.second % 4 == 0 ? nil : operation.second
    meaning = "\(handle) to \(number.map { "\($0)" } ?? "nil")"
    try object(handle, side).number = number
    side.view.set(handle, number: number)
    side.edits.append(GraphSide.Edit(handle: handle, text: nil, number: number))
  }

  private func link(_ operation: GraphOperation, _ side: GraphSide) throws {
    let candidates = Relation.allCases.filter { $0.isToMany == (operation.action != .setOne) }
    let relation = candidates[operation.first % candidates.count]
    try prepare(side, forGraphChange: true)
    guard let handle = pick(operation.second, relation.source, side) else { return }
    var targets = side.view.links(handle, relation)
    let other = pick(operation.third, relation.destination, side)
    switch operation.action {
    case .setOne: targets = operation.first % 5 == 0 ? [] : other.map { [$0] } ?? []
    case .append: if let other, !targets.contains(other) { targets.append(other) }
    case .remove: if !targets.isEmpty { targets.remove(at: operation.third % targets.count) }
    case .shuffle: targets = targets.reversed()
    default:
      targets = targets.filter { $0 % 2 == operation.third % 2 }
      if let other, !targets.contains(other) { targets.insert(other, at: 0) }
    }
    meaning = "\(handle) \(relation) = \(targets)"
    try object(handle, side).assign(relation, targets.map { try object($0, side) })
    side.view.assign(handle, relation, targets)
  }

  private func delete(_ operation: GraphOperation, _ side: GraphSide) throws {
    try prepare(side, forGraphChange: true)
    guard let handle = pick(operation.first, nil, side) else { return }
    let before = side.view
    side.view.delete(handle)
    let deleted = before.things.keys.filter { side.view.things[$0] == nil }.sorted()
    meaning = "\(handle), with it \(deleted)"
    let objects = try deleted.map { try object($0, side) }
    side.context.delete(try object(handle, side))
    for (handle, model) in zip(deleted, objects) {
      if model.isDeleted != (identifiers[handle] != nil) { throw Mismatch("\(handle) isDeleted is \(model.isDeleted)") }
      side.live[handle] = nil
      if identifiers[handle] == nil { handles[model.persistentModelID] = nil }
      recordDeleted(model)
    }
  }

  private func fetch(_ operation: GraphOperation, _ side: GraphSide) throws {
    let bound = operation.first
    let models = try side.context.fetch(FetchDescriptor<Player>(predicate: #Predicate { ($0.number ?? 0) > bound }))
    let found = try models.map(handle)
    let expected = side.view.handles(.player).filter { side.view.things[$0]?.number ?? 0 > bound }
    if found.sorted() != expected { throw Mismatch("players above \(bound) are \(found), not \(expected)") }
    for model in models { side.live[try handle(model)] = model }
  }
}

extension World {
  /// Links a model that is new to the context; links that the initializer set reach the other side in the class's order.
  mutating func assignNew(_ handle: Int, _ relation: Relation, _ targets: [Int]) {
    if !targets.isEmpty { assign(handle, relation, targets) }
  }
}
