@testable import TestSupport

extension World {
  /// The order in which an upsert united two relationships; it is the store's to choose.
  struct Unsettled: Hashable {
    let handle: Int
    let relation: Relation
  }

  struct Saved {
    /// Inserted models that became updates, and the model that has their row.
    var merged: [Int: Int] = [:]
    var unsettled: Set<Unsettled> = []
  }

  /// Makes what is pending permanent.
  ///
  /// - Returns: nil, and nothing is changed, when two saved models would have the same unique value.
  mutating func save() -> Saved? {
    var owners: [String: Int] = [:]
    for handle in handles(.player) where !inserted.contains(handle) {
      guard let code = things[handle]?.text, owners.updateValue(handle, forKey: code) == nil else { return nil }
    }
    var saved = Saved()
    for handle in inserted where things[handle]?.kind == .player {
      guard let code = things[handle]?.text else { continue }
      if let owner = owners[code] {
        merge(handle, into: owner, &saved.unsettled)
        saved.merged[handle] = owner
      } else {
        owners[code] = handle
      }
    }
    saved.unsettled = saved.unsettled.filter { things[$0.handle] != nil }
    forgetChanges()
    return saved
  }

  mutating func forgetChanges() {
    inserted = []
    deleted = []
    changed = []
    perhapsChanged = []
  }

  /// An attribute of the inserted model wins, and so does a to-one that it has; to-many relationships are united.
  private mutating func merge(_ handle: Int, into owner: Int, _ unsettled: inout Set<Unsettled>) {
    guard let thing = things.removeValue(forKey: handle) else { return }
    things[owner]?.number = thing.number
    for relation in thing.kind.relations {
      for target in thing.links[relation] ?? [] {
        let before = links(owner, relation)
        if !relation.isToMany {
          for previous in before where previous != target {
            things[previous]?.links[relation.inverse]?.removeAll { $0 == owner }
          }
          things[owner]?.links[relation] = [target]
        } else if !before.contains(target) {
          things[owner]?.links[relation]?.append(target)
          if things[owner]?.links[relation] == nil { things[owner]?.links[relation] = [target] }
        }
        replace(handle, by: owner, in: target, relation.inverse)
        unsettled.insert(Unsettled(handle: target, relation: relation.inverse))
        unsettled.insert(Unsettled(handle: owner, relation: relation))
      }
    }
  }

  private mutating func replace(_ handle: Int, by owner: Int, in target: Int, _ relation: Relation) {
    let members = links(target, relation)
    let isThere = members.contains(owner)
    things[target]?.links[relation] = members.compactMap { member in
      member != handle ? member : isThere ? nil : owner
    }
  }
}
