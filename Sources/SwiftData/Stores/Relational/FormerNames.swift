/// Which tables of a store, or columns of one, or relationships, are which of a schema.
///
/// A schema says of each what it was called originally, and says so for good; a store remembers what was said of those it
/// has. So two are the same when the original names are, or when the one was originally called as the other is called now;
/// and if none is, then the one that has the name. What has its name already is not looked for elsewhere.
struct FormerNames {
  struct Part {
    var name: String
    /// Equal to `name` when it had no other.
    var originalName: String
  }

  struct Renaming: Equatable {
    var from: String
    var to: String
  }

  /// In an order in which each new name is free when its turn comes. Where there is none, a name that no part has goes
  /// between.
  private(set) var renamings: [Renaming] = []
  /// What is in the store and not in the schema, by the names that `renamings` leave it.
  private(set) var dropped: [String] = []
  private var formerNames: [String: String] = [:]
  private var presentNames: [String: String] = [:]

  /// - Parameter isDroppedBefore: Whether what the schema lacks is gone before anything is renamed.
  init(old: [Part], new: [Part], isDroppedBefore: Bool = false) {
    let named = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let original = Dictionary(grouping: old, by: \.originalName)
    match(new) { part in named[part.name].flatMap { $0.originalName == part.originalName ? [$0] : nil } ?? [] }
    match(new) { original[$0.originalName] ?? [] }
    match(new) { named[$0.originalName].map { [$0] } ?? [] }
    match(new) { named[$0.name].map { [$0] } ?? [] }
    dropped = old.map(\.name).filter { presentNames[$0] == nil }
    order(old.map(\.name), isDroppedBefore)
  }

  /// Gives each part that has no former name yet the first of some that no other has.
  private mutating func match(_ new: [Part], _ candidates: (Part) -> [Part]) {
    for part in new where formerNames[part.name] == nil {
      guard let former = candidates(part).first(where: { presentNames[$0.name] == nil }) else { continue }
      formerNames[part.name] = former.name
      presentNames[former.name] = part.name
    }
  }

  private mutating func order(_ old: [String], _ isDroppedBefore: Bool) {
    var pending = old.compactMap { name in
      presentNames[name].flatMap { $0 == name ? nil : Renaming(from: name, to: $0) }
    }
    var taken = Set((isDroppedBefore ? old.filter { presentNames[$0] != nil } : old).map { $0.lowercased() })
    func rename(_ from: String, _ to: String, _ renamings: inout [Renaming]) {
      renamings.append(Renaming(from: from, to: to))
      taken.remove(from.lowercased())
      taken.insert(to.lowercased())
    }
    while let first = pending.first {
      let isFree = { (renaming: Renaming) in
        !taken.contains(renaming.to.lowercased()) || renaming.to.lowercased() == renaming.from.lowercased()
      }
      if let index = pending.firstIndex(where: isFree) {
        let next = pending.remove(at: index)
        rename(next.from, next.to, &renamings)
        continue
      }
      // In the way is one that waits for others itself, or one that will be dropped.
      let wanted = first.to.lowercased()
      let between = (2...).lazy.map { "\(first.to)_former_\($0)" }.first { !taken.contains($0.lowercased()) }
      guard let between else { return }
      if let index = pending.firstIndex(where: { $0.from.lowercased() == wanted }) {
        rename(pending[index].from, between, &renamings)
        pending[index].from = between
      } else if let index = dropped.firstIndex(where: { $0.lowercased() == wanted }) {
        rename(dropped[index], between, &renamings)
        dropped[index] = between
      } else {
        // Nothing else has a name that is taken.
        return
      }
    }
  }

  /// What a part of the schema is called in the store; nil when it is new.
  func former(of name: String) -> String? { formerNames[name] }
  /// What a part of the store is called in the schema; nil when it is gone.
  func present(of name: String) -> String? { presentNames[name] }
}
