/// Matches tables of a store, columns of one, or relationships, with those of a schema.
///
/// A part without an original name in the schema matches the one with its name. An original name stays in the schema for
/// good, and the store records it: two parts match if their original names are equal, or if the original name of one is
/// the present name of the other; failing that, if their names are equal.
///
/// Columns are matched by their properties, because two properties can ask for one column name and the order of the source
/// decides which gets it. Where a store does not record properties, columns are matched by their own names.
struct PreviousNames {
  struct Part {
    var name: String
    /// Equal to `name` without a renaming.
    var originalName: String
    /// Another possible name, for reasons that are not in the schema.
    var otherName: String?
    var property: Property?

    /// The property that a column belongs to, or the part of a property.
    struct Property: Hashable {
      var path: String
      /// Equal to `path` without a renaming.
      var originalPath: String
      /// The entity of the property, in a table that several entities share; nil when all rows have it.
      var owner: String?

      var isRenamed: Bool { originalPath != path }

      /// Whether one may have become the other: properties of different entities do not match.
      func canBe(_ other: Self) -> Bool { owner == other.owner || owner == nil || other.owner == nil }
    }

    var isRenamed: Bool { property?.isRenamed ?? (originalName != name) }

    /// Whether two columns are matched by their properties only, because both record theirs.
    fileprivate func goesByProperty(beside other: Part) -> Bool { property != nil && other.property != nil }
  }

  struct Renaming: Equatable {
    var from: String
    var to: String
  }

  /// The renamings in an order in which each new name is free. A cycle is broken with a temporary name.
  private(set) var renamings: [Renaming] = []
  /// The parts that the schema lacks, by their names after `renamings`.
  private(set) var dropped: [String] = []
  private var previousNames: [String: String] = [:]
  private var presentNames: [String: String] = [:]

  /// - Parameter isDroppedBefore: Whether parts that the schema lacks are dropped before anything is renamed.
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

  /// Matches each unmatched part with its first unmatched candidate.
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

  /// Matches by properties. Of several candidates, the one with the same owner comes first.
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
    // A table cannot have columns that differ only in capitalization, so these match.
    let lowercased = Dictionary(grouping: old.filter { $0.property != nil }) { $0.property?.path.lowercased() }
    match { lowercased[$0.path.lowercased()] ?? [] }
  }

  private mutating func matchLoosely(_ old: [Part], _ new: [Part]) {
    let other = Dictionary(grouping: old.filter { $0.otherName != nil }, by: \.otherName)
    let named = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    match(new) { $0.otherName.map { [named[$0]] } ?? [] }
    match(new) { other[$0.name] ?? [] }
    // SQL names are not case-sensitive.
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
      // The wanted name belongs to a part that waits for others itself, or to one that will be dropped.
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
        // Not reached: no other part has a taken name.
        return
      }
    }
  }

  /// Renames dropped parts whose names are needed for added ones.
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

  /// The previous name of a part of the schema; nil when it is new.
  func previous(of name: String) -> String? { previousNames[name] }
  /// The present name of a part of the store; nil when it is gone.
  func present(of name: String) -> String? { presentNames[name] }
}
