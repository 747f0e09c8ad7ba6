@testable import TestSupport

extension World {
  /// Two relationships that an upsert united; the store chooses the order of their members.
  struct UnorderedLink: Hashable {
    let handle: Int
    let relation: Relation
  }

  struct Saved {
    /// Inserted models that became updates, and the model that has their row.
    var merged: [Int: Int] = [:]
    var unordered: Set<UnorderedLink> = []
  }

  /// Saves the pending changes.
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
        merge(handle, into: owner, &saved.unordered)
        saved.merged[handle] = owner
      } else {
        owners[code] = handle
      }
    }
    saved.unordered = saved.unordered.filter { things[$0.handle] != nil }
    forgetChanges()
    return saved
  }

  mutating func forgetChanges() {
    inserted = []
    deleted = []
    changed = []
    perhapsChanged = []
  }

  /// The inserted model's attributes and to-ones win; to-many relationships are united.
  private mutating func merge(_ handle: Int, into owner: Int, _ unordered: inout Set<UnorderedLink>) {
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
        unordered.insert(UnorderedLink(handle: target, relation: relation.inverse))
        unordered.insert(UnorderedLink(handle: owner, relation: relation))
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
