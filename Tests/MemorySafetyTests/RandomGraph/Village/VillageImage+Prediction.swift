import SwiftData

@testable import TestSupport

extension VillageImage {
  /// Sets a relationship and its inverse.
  mutating func assign(_ identifier: PersistentIdentifier, _ link: VillageLink, _ targets: [PersistentIdentifier]) {
    let old = linked(from: identifier, link)
    for target in old where !targets.contains(target) {
      if let inverse = link.inverse { remove(identifier, from: target, inverse) }
    }
    for target in targets where !old.contains(target) { adopt(identifier, by: target, link) }
    rows[identifier]?.links[link.name] = targets
  }

  private func linked(from identifier: PersistentIdentifier, _ link: VillageLink) -> [PersistentIdentifier] {
    rows[identifier]?.links[link.name] ?? []
  }

  private mutating func adopt(
    _ identifier: PersistentIdentifier, by target: PersistentIdentifier, _ link: VillageLink
  ) {
    guard let inverse = link.inverse else { return }
    if inverse.isToMany {
      rows[target]?.links[inverse.name, default: []].append(identifier)
      return
    }
    for previous in linked(from: target, inverse) where previous != identifier { remove(target, from: previous, link) }
    rows[target]?.links[inverse.name] = [identifier]
  }

  private mutating func remove(
    _ identifier: PersistentIdentifier, from owner: PersistentIdentifier, _ link: VillageLink
  ) {
    rows[owner]?.links[link.name]?.removeAll { $0 == identifier }
  }

  /// Deletes a row and its cascade.
  ///
  /// - Returns: false when a delete rule denies it.
  mutating func delete(_ root: PersistentIdentifier) -> Bool {
    var waiting = [root]
    var denials: [(owner: Row, link: VillageLink)] = []
    while let identifier = waiting.popLast() {
      guard let row = rows.removeValue(forKey: identifier) else { continue }
      for link in row.kind.links {
        let targets = row.links[link.name] ?? []
        if link.rule == .deny, !targets.isEmpty { denials.append((row, link)) }
        if link.rule == .cascade { waiting += targets }
        if let inverse = link.inverse { for target in targets { remove(identifier, from: target, inverse) } }
      }
      for link in VillageLink.all where link.inverseName == nil {
        for owner in rows.keys { remove(identifier, from: owner, link) }
      }
    }
    return !denials.contains { denial in
      denial.owner.links[denial.link.name]?.contains { rows[$0] != nil } == true
    }
  }
}
