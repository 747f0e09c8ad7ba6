import SwiftData

@testable import TestSupport

extension GraphRun {
  /// A cheap check of the pending changes that the context reports.
  func check(_ side: GraphSide) throws {
    let context = side.context
    let view = side.view
    let inserted = try context.insertedModelsArray.map(handle(of:))
    if inserted != view.inserted { throw Mismatch("inserted are \(inserted), not \(view.inserted)") }
    let deleted = Set(try context.deletedModelsArray.map(handle(of:)))
    if deleted != view.deleted { throw Mismatch("deleted are \(deleted), not \(view.deleted)") }
    let changed = Set(try context.changedModelsArray.map(handle(of:)))
    let possible = view.changed.union(view.perhapsChanged)
    if !view.changed.isSubset(of: changed) || !changed.isSubset(of: possible) {
      throw Mismatch("changed are \(changed.sorted()), not \(view.changed.sorted())")
    }
    if context.hasChanges != view.hasChanges, view.perhapsChanged.isEmpty {
      throw Mismatch("hasChanges is \(context.hasChanges)")
    }
  }

  private func handle(of model: any PersistentModel) throws -> Int {
    guard let model = model as? any GraphModel else { throw Mismatch("a \(type(of: model)) is pending") }
    return try handle(model)
  }

  func compareAll() throws {
    for side in sides {
      side.context.processPendingChanges()
      try compare(side, side.view)
    }
  }

  /// Compares everything that a context holds.
  func compare(_ side: GraphSide, _ world: World, ignoringOrderOf unordered: Set<World.UnorderedLink> = []) throws {
    var differences: [String] = []
    for (handle, model) in side.live where world.things[handle] != nil {
      if model.modelContext != side.context { differences.append("\(handle) left the context") }
      if let identifier = identifiers[handle], model !== side.context.model(for: identifier) {
        differences.append("\(handle) has two objects")
      }
    }
    for handle in world.things.keys.sorted() {
      guard let thing = world.things[handle] else { continue }
      try compare(object(handle, side), handle, thing, unordered, &differences)
    }
    for kind in Kind.allCases {
      try compareFetch(of: kind, side.context, world, live: side.live, &differences)
    }
    // Once more, now that a fetch has refreshed everything.
    for handle in world.things.keys.sorted() {
      guard let thing = saved.things[handle] ?? world.things[handle], world.inserted.isEmpty, world.changed.isEmpty,
        world.perhapsChanged.isEmpty
      else { continue }
      try compare(object(handle, side), handle, thing, [], &differences)
    }
    if !differences.isEmpty { throw Mismatch(differences.prefix(8).joined(separator: "\n    ")) }
  }

  private func compare(
    _ model: any GraphModel, _ handle: Int, _ thing: World.Thing, _ unordered: Set<World.UnorderedLink>,
    _ differences: inout [String]
  ) throws {
    if model.text != thing.text { differences.append("\(handle).text is \(model.text), not \(thing.text)") }
    if model.number != thing.number {
      differences.append("\(handle).number is \(model.number ?? -1), not \(thing.number ?? -1)")
    }
    for relation in thing.kind.relations {
      let targets = try model.targets(relation).map(self.handle)
      let expected = thing.links[relation] ?? []
      if targets == expected { continue }
      if unordered.contains(World.UnorderedLink(handle: handle, relation: relation)),
        targets.sorted() == expected.sorted()
      {
        saved.things[handle]?.links[relation] = targets
        for side in sides { side.view.things[handle]?.links[relation] = targets }
        continue
      }
      differences.append("\(handle).\(relation) is \(targets), not \(expected)")
    }
  }

  private func compareFetch(
    of kind: Kind, _ context: ModelContext, _ world: World, live: [Int: any GraphModel], _ differences: inout [String]
  ) throws {
    let models = try context.all(of: kind)
    let found = try models.map(handle)
    let expected = world.handles(kind)
    if found.sorted() != expected { differences.append("fetched \(kind) are \(found.sorted()), not \(expected)") }
    let pending = world.inserted.filter { world.things[$0]?.kind == kind }
    if Array(found.suffix(pending.count)) != pending {
      differences.append("fetched \(kind) end with \(found.suffix(pending.count)), not \(pending)")
    }
    let stored = models.dropLast(pending.count).map(\.persistentModelID)
    if stored != stored.sorted() { differences.append("fetched \(kind) are not in the order of their identifiers") }
    for (handle, model) in zip(found, models) {
      if let known = live[handle], known !== model { differences.append("\(handle) was fetched as another object") }
    }
    let count = try context.count(of: kind)
    if count != expected.count { differences.append("fetchCount of \(kind) is \(count), not \(expected.count)") }
  }

  /// Compares the stored values with the expected ones.
  func compareInNewContext() throws {
    let side = GraphSide(container, saved)
    do {
      try compare(side, saved)
    } catch let mismatch as Mismatch {
      throw Mismatch("in a new context: \(mismatch)")
    }
  }
}
