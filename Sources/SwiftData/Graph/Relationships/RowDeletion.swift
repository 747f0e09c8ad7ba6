/// Plans the deletion of rows: the rows to which it cascades, and the rows whose models have to be unlinked from others.
struct RowDeletion {
  /// Rows that are deleted only in the store.
  private(set) var rows: [RowKey] = []
  /// Rows that are deleted by deleting their models: the model is in memory, or linked to a row that is not deleted.
  private(set) var rowsWithModels: [RowKey] = []

  private let graph: ObjectGraph
  private var known = Set<RowKey>()

  /// The effect of a row's deletion on the targets of one of its relationships.
  private enum Reach {
    case nothing
    /// The targets that the store has.
    case targets
    /// Targets with a minimum number of members.
    case countedMembers
  }

  /// - Throws: The failure of the store, which is queried for the members to which the deletion cascades, with one
  ///   statement for each relationship.
  init(_ rows: [RowKey], _ graph: ObjectGraph) throws {
    self.graph = graph
    var waiting = rows
    while !waiting.isEmpty { waiting = try add(waiting) }
  }

  /// - Returns: The rows to which the deletion cascades.
  private mutating func add(_ rows: [RowKey]) throws -> [RowKey] {
    var keys: [Int: [Int64]] = [:]
    for row in rows where !graph.journal.deletedRows.contains(row.key, of: graph.bindingsByOrdinal[row.entity].map) {
      if known.insert(row).inserted { keys[row.entity, default: []].append(row.key) }
    }
    var cascaded: [RowKey] = []
    for (ordinal, keys) in keys.sorted(by: { $0.key < $1.key }) {
      cascaded += try add(keys, of: graph.bindingsByOrdinal[ordinal])
    }
    return cascaded
  }

  private mutating func add(_ keys: [Int64], of binding: EntityBinding) throws -> [RowKey] {
    let reaches = binding.relationshipRules.map { ($0, reach(of: $0)) }
    var linked = Set(keys.filter { binding.map.model($0) != nil })
    if reaches.contains(where: { $0.1 == .countedMembers }) { linked = Set(keys) }
    let others = keys.filter { !linked.contains($0) }
    var cascaded: [(owner: Int64, row: RowKey)] = []
    for (rule, reach) in reaches where reach == .targets && !others.isEmpty {
      guard let destination = rule.destination else { continue }
      let pending = graph.pendingKeys(of: destination)
      try binding.session.members(of: rule.property.name, in: binding.entity, owners: others) { owner, member in
        // A member with pending changes may have another owner, which the deletion of the owner's model checks.
        if rule.deleteRule == .cascade, !pending.contains(member.key) {
          cascaded.append((owner, member))
        } else {
          linked.insert(owner)
        }
      }
    }
    for key in keys {
      let row = RowKey(key: key, entity: binding.ordinal)
      if linked.contains(key) { rowsWithModels.append(row) } else { self.rows.append(row) }
    }
    return cascaded.compactMap { linked.contains($0.owner) ? nil : $0.row }
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
      // A to-many that is not in memory reads its members without the row.
      return inverse.toMany == nil ? .targets : .nothing
    }
  }
}
