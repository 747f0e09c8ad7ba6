/// What deleting some rows takes: which rows go with them, and which of them need models to unlink others.
struct RowDeletion {
  /// Rows of which only the store has to know.
  private(set) var rows: [RowKey] = []
  /// Rows that are deleted by way of their models: one is in memory, or something stays that it is linked to.
  private(set) var told: [RowKey] = []

  private let graph: ObjectGraph
  private var known = Set<RowKey>()

  /// How the deletion of a row concerns what one of its relationships leads to.
  private enum Reach {
    case nothing
    /// What the store knows that it leads to.
    case targets
    /// Models that count their members.
    case countedMembers
  }

  /// - Throws: The failure of the store, which is asked for the members that go with their owners, in one statement for
  ///   each relationship.
  init(_ rows: [RowKey], _ graph: ObjectGraph) throws {
    self.graph = graph
    var waiting = rows
    while !waiting.isEmpty { waiting = try add(waiting) }
  }

  /// - Returns: The rows that go with them.
  private mutating func add(_ rows: [RowKey]) throws -> [RowKey] {
    var keys: [Int: [Int64]] = [:]
    for row in rows where !graph.journal.deletedRows.contains(row.key, of: graph.bindingsByOrdinal[row.entity].map) {
      if known.insert(row).inserted { keys[row.entity, default: []].append(row.key) }
    }
    var followers: [RowKey] = []
    for (ordinal, keys) in keys.sorted(by: { $0.key < $1.key }) {
      followers += try add(keys, of: graph.bindingsByOrdinal[ordinal])
    }
    return followers
  }

  private mutating func add(_ keys: [Int64], of binding: EntityBinding) throws -> [RowKey] {
    let reaches = binding.relationshipRules.map { ($0, reach(of: $0)) }
    var linked = Set(keys.filter { binding.map.model($0) != nil })
    if reaches.contains(where: { $0.1 == .countedMembers }) { linked = Set(keys) }
    let others = keys.filter { !linked.contains($0) }
    var followers: [(owner: Int64, row: RowKey)] = []
    for (rule, reach) in reaches where reach == .targets && !others.isEmpty {
      guard let destination = rule.destination else { continue }
      let pending = graph.pendingKeys(of: destination)
      try binding.session.members(of: rule.property.name, in: binding.entity, owners: others) { owner, member in
        // A member with pending changes may have another owner, which the owner's model finds out.
        if rule.deleteRule == .cascade, !pending.contains(member.key) {
          followers.append((owner, member))
        } else {
          linked.insert(owner)
        }
      }
    }
    for key in keys {
      let row = RowKey(key: key, entity: binding.ordinal)
      if linked.contains(key) { told.append(row) } else { self.rows.append(row) }
    }
    return followers.compactMap { linked.contains($0.owner) ? nil : $0.row }
  }

  private func reach(of rule: RelationshipRule) -> Reach {
    switch rule.deleteRule {
    case .noAction:
      return .nothing
    case .cascade, .deny:
      return .targets
    case .nullify:
      guard let inverse = rule.inverse else { return .nothing }
      if rule.inverseRule?.hasMinimum != false { return .countedMembers }
      // A to-many that is not in memory finds the row gone when it is read.
      return inverse.toMany == nil ? .targets : .nothing
    }
  }
}
