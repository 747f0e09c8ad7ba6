/// Which tables of a store, or columns of one, or relationships, are which of a schema.
///
/// What a schema gives no original name is what has its name in the store. What it gives one keeps it for good, and a store
/// remembers the original names of what it has: the two are the same if these are, or if one was called originally as the
/// other is called in the store; and if nothing is, then what has its name.
struct FormerNames {
  struct Part {
    var name: String
    /// Equal to `name` when it had no other.
    var originalName: String
    /// What else it could be called for reasons that are not the schema's.
    var otherName: String?

    var isRenamed: Bool { originalName != name }
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
    match(new) { $0.isRenamed ? [] : [named[$0.name]] }
    match(new) { part in [named[part.name].flatMap { $0.originalName == part.originalName ? $0 : nil }] }
    match(new) { $0.isRenamed ? original[$0.originalName] ?? [] : [] }
    match(new) { [named[$0.originalName]] }
    match(new) { [named[$0.name]] }
    if formerNames.count < new.count { matchLoosely(old, new) }
    dropped = old.map(\.name).filter { presentNames[$0] == nil }
    order(old.map(\.name), isDroppedBefore)
  }

  /// Gives each part that has no former name yet the first of some that no other has.
  private mutating func match(_ new: [Part], _ candidates: (Part) -> [Part?]) {
    for part in new where formerNames[part.name] == nil {
      guard let former = candidates(part).lazy.compactMap({ $0 }).first(where: { presentNames[$0.name] == nil })
      else { continue }
      formerNames[part.name] = former.name
      presentNames[former.name] = part.name
    }
  }

  private mutating func matchLoosely(_ old: [Part], _ new: [Part]) {
    let other = Dictionary(grouping: old.filter { $0.otherName != nil }, by: \.otherName)
    let named = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    match(new) { $0.otherName.map { [named[$0]] } ?? [] }
    match(new) { other[$0.name] ?? [] }
    // A database does not tell capital letters from small ones.
    let lowercased = Dictionary(grouping: old) { $0.name.lowercased() }
    match(new) { lowercased[$0.name.lowercased()] ?? [] }
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
      if let index = pending.firstIndex(where: { !taken.contains($0.to.lowercased()) }) {
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
