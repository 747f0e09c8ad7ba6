/// Which tables of a store, or columns of one, or relationships, are which of a schema.
///
/// What a schema gives no original name is what has its name in the store. What it gives one keeps it for good, and a store
/// remembers the original names of what it has: the two are the same if these are, or if one was called originally as the
/// other is called in the store; and if nothing is, then what has its name.
///
/// Columns go by the properties that they belong to, because two properties can ask for one column name: which of them
/// gets it depends on the order of the source. Where a store does not say, they go by their own names.
struct PreviousNames {
  struct Part {
    var name: String
    /// Equal to `name` when it had no other.
    var originalName: String
    /// What else it could be called for reasons that are not the schema's.
    var otherName: String?
    var property: Property?

    /// The property that a column belongs to, or the part of it that the column has.
    struct Property: Hashable {
      var path: String
      /// Equal to `path` when it had no other.
      var originalPath: String
      /// Whose property it is, in a table that several kinds of rows share; nil when it is that of all.
      var owner: String?

      var isRenamed: Bool { originalPath != path }

      /// Whether one may have become the other: what one kind has is not what another one has.
      func canBe(_ other: Self) -> Bool { owner == other.owner || owner == nil || other.owner == nil }
    }

    var isRenamed: Bool { property?.isRenamed ?? (originalName != name) }

    /// Whether the names of their own tell nothing of two parts, as both say what property they belong to.
    fileprivate func goesByProperty(beside other: Part) -> Bool { property != nil && other.property != nil }
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
  private var previousNames: [String: String] = [:]
  private var presentNames: [String: String] = [:]

  /// - Parameter isDroppedBefore: Whether what the schema lacks is gone before anything is renamed.
  init(old: [Part], new: [Part], isDroppedBefore: Bool = false) {
    matchProperties(old, new)
    let named = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let original = Dictionary(grouping: old, by: \.originalName)
    match(new) { $0.isRenamed ? [] : [named[$0.name]] }
    match(new) { part in [named[part.name].flatMap { $0.originalName == part.originalName ? $0 : nil }] }
    match(new) { $0.isRenamed ? original[$0.originalName] ?? [] : [] }
    match(new) { [named[$0.originalName]] }
    match(new) { [named[$0.name]] }
    if previousNames.count < new.count { matchLoosely(old, new) }
    dropped = old.map(\.name).filter { presentNames[$0] == nil }
    order(old.map(\.name), isDroppedBefore)
    if !isDroppedBefore { clear(new.map(\.name).filter { previousNames[$0] == nil }) }
  }

  /// Gives each part that has no former name yet the first of some that no other has.
  private mutating func match(_ new: [Part], _ candidates: (Part) -> [Part?]) {
    for part in new where previousNames[part.name] == nil {
      let previous = candidates(part).lazy.compactMap { $0 }
        .first { presentNames[$0.name] == nil && !part.goesByProperty(beside: $0) }
      if let previous { record(previous, as: part) }
    }
  }

  private mutating func record(_ previous: Part, as part: Part) {
    previousNames[part.name] = previous.name
    presentNames[previous.name] = part.name
  }

  /// The same as by names, by properties. Of several that one can have been, the one of the same owner comes first.
  private mutating func matchProperties(_ old: [Part], _ new: [Part]) {
    typealias Property = Part.Property
    let named = Dictionary(grouping: old.filter { $0.property != nil }) { $0.property?.path }
    if named.isEmpty { return }
    let original = Dictionary(grouping: old.filter { $0.property != nil }) { $0.property?.originalPath }
    func match(_ candidates: (Property) -> [Part]) {
      for mayMove in [false, true] {
        for part in new where previousNames[part.name] == nil {
          guard let property = part.property else { continue }
          let previous = candidates(property).first { candidate in
            guard presentNames[candidate.name] == nil, let other = candidate.property else { return false }
            return mayMove ? other.canBe(property) : other.owner == property.owner
          }
          if let previous { record(previous, as: part) }
        }
      }
    }
    match { $0.isRenamed ? [] : named[$0.path] ?? [] }
    match { property in (named[property.path] ?? []).filter { $0.property?.originalPath == property.originalPath } }
    match { $0.isRenamed ? original[$0.originalPath] ?? [] : [] }
    match { named[$0.originalPath] ?? [] }
    match { named[$0.path] ?? [] }
    // Two columns cannot differ in capital letters alone, so these are one and the same.
    let lowercased = Dictionary(grouping: old.filter { $0.property != nil }) { $0.property?.path.lowercased() }
    match { lowercased[$0.path.lowercased()] ?? [] }
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

  /// Takes what will be dropped out of the way of what is added before that.
  private mutating func clear(_ added: [String]) {
    for name in added {
      guard let index = dropped.firstIndex(where: { $0.lowercased() == name.lowercased() }) else { continue }
      let taken = Set((dropped + presentNames.values + added).map { $0.lowercased() })
      let free = (2...).lazy.map { "\(name)_former_\($0)" }.first { !taken.contains($0.lowercased()) }
      guard let free else { return }
      renamings.append(Renaming(from: dropped[index], to: free))
      dropped[index] = free
    }
  }

  /// What a part of the schema is called in the store; nil when it is new.
  func previous(of name: String) -> String? { previousNames[name] }
  /// What a part of the store is called in the schema; nil when it is gone.
  func present(of name: String) -> String? { presentNames[name] }
}
