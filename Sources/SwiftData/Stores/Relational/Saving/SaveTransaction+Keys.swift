import Relational

extension SaveTransaction {
  /// Assigns a key to every inserted model: a new one, or the key of the row that has its unique values.
  ///
  /// - Parameters:
  ///   - constrained: Updates whose references to inserted models are part of unique values. They are written before models
  ///     of their table are looked up, so that lookups see the new values.
  ///   - later: All updates that replace unique values and are not written yet.
  func assignKeys(_ constrained: [SavePlan.Update], later: [SavePlan.Update]) throws {
    var resolver = UpsertResolver(
      shapes: store.shapes, layout: layout, plan: plan, keys: keys, connection: connection)
    resolver.ignoreValues(replacedBy: later)
    if !store.hasConstrainedReferences {
      let entities = connection.runsLater ? Dictionary(grouping: plan.insertRuns, by: \.entity) : [:]
      for (entity, runs) in entities.sorted(by: { $0.key < $1.key }) {
        try resolver.lookUp(runs.flatMap(\.positions), layout.layout(at: entity))
      }
      for run in plan.insertRuns { try assignKeys(run, &resolver) }
      return try refuseNarrowReferences()
    }
    var updates = Dictionary(grouping: constrained) { layout(of: $0.model).table }
    for group in runsInOrder() {
      if let referring = updates.removeValue(forKey: group.table) { try writeReferences(referring, &resolver) }
      for run in group.runs { try assignKeys(run, &resolver) }
    }
    // No models are inserted into the tables of the remaining updates.
    try updateRows(constrained.filter { updates[layout(of: $0.model).table] != nil })
    try refuseNarrowReferences()
  }

  /// The insertions of each table in their own order. A table comes after the tables that references in its unique values
  /// refer to, unless there is a cycle.
  private func runsInOrder() -> [(table: String, runs: [SavePlan.Run])] {
    var order: [String] = []
    var visited = Set<String>()
    func visit(_ root: EntityLayout) {
      guard visited.insert(root.table).inserted else { return }
      for entity in root.family {
        for reference in store.shapes.constrainedReferences(of: entity).sorted() {
          guard let name = entity.properties[reference].destination, let target = layout.layout(named: name) else {
            continue
          }
          visit(target.root)
        }
      }
      order.append(root.table)
    }
    for run in plan.insertRuns { visit(layout.layout(at: run.entity).root) }
    let runs = Dictionary(grouping: plan.insertRuns) { layout.layout(at: $0.entity).table }
    var groups: [(table: String, runs: [SavePlan.Run])] = []
    for table in order {
      if let runs = runs[table] { groups.append((table: table, runs: runs)) }
    }
    return groups
  }

  /// Writes updates that refer to inserted models. In a cycle of tables, those models get their keys now.
  private func writeReferences(_ updates: [SavePlan.Update], _ resolver: inout UpsertResolver) throws {
    for update in updates {
      for property in layout(of: update.model).runtime.toOnes
      where update.dirty & _ModelState.bit(property.index) != 0 {
        for target in property.loadedTargets(of: update.model) {
          guard let index = plan.index(ofInserted: target), keys.inserted[index] == 0 else { continue }
          try assignKey(index, &resolver, depth: 1)
        }
      }
    }
    try updateRows(updates)
    resolver.recordWritten(updates)
  }

  private func assignKeys(_ run: SavePlan.Run, _ resolver: inout UpsertResolver) throws {
    subject = .inserted(run.start)
    let layout = layout.layout(at: run.entity)
    if store.shapes.constraints(of: layout).isEmpty {
      let sequence = try sequences.sequence(of: layout.table)
      for index in run.positions where keys.inserted[index] == 0 {
        keys.assign(try sequence.next(), to: index)
      }
    } else {
      for index in run.positions where keys.inserted[index] == 0 { try assignKey(index, &resolver, depth: 0) }
    }
  }

  private func assignKey(_ index: Int, _ resolver: inout UpsertResolver, depth: Int) throws {
    let model = plan.inserts[index]
    subject = .inserted(index)
    let layout = layout(of: model)
    let constraints = store.shapes.constraints(of: layout)
    if constraints.isEmpty {
      keys.assign(try sequences.sequence(of: layout.table).next(), to: index)
      return
    }
    // A constraint with a to-one needs the key of the target first. The recursion ends in a cycle of such constraints.
    let references = store.hasConstrainedReferences ? store.shapes.constrainedReferences(of: layout) : []
    if !references.isEmpty, depth < 16 {
      for property in layout.runtime.relationships where references.contains(property.index) {
        for target in property.loadedTargets(of: model) {
          guard let other = plan.index(ofInserted: target), keys.inserted[other] == 0 else { continue }
          try assignKey(other, &resolver, depth: depth + 1)
        }
      }
      subject = .inserted(index)
    }
    if keys.inserted[index] != 0 { return }
    let existing = try resolver.lookUp(insert: index, layout)
    try checkUndisturbed()
    if let existing {
      if !plan.allowsUpserts { throw resolver.conflictError(with: existing, store.identifier) }
      keys.merge(index, into: existing)
      try resolver.recordMergeIntoFoundRow()
    } else {
      let key = try sequences.sequence(of: layout.table).next()
      keys.assign(key, to: index)
      resolver.recordNewRow(RowKey(key: key, entity: layout.ordinal))
    }
  }

  /// Refuses relationships to an inserted model that was merged into a row of an entity which the relationship does not
  /// accept: a superentity of the model's own, or a sibling.
  private func refuseNarrowReferences() throws {
    var narrowed: [ObjectIdentifier: EntityLayout] = [:]
    for (index, row) in keys.merged {
      let layout = self.layout.layout(at: row.entity)
      let model = plan.inserts[index]
      if !layout.entity.isKind(of: self.layout(of: model).entity) { narrowed[ObjectIdentifier(model)] = layout }
    }
    guard !narrowed.isEmpty else { return }
    for model in plan.inserts + plan.updates.map(\.model) {
      for property in layout(of: model).runtime.relationships {
        for target in property.loadedTargets(of: model) {
          guard let row = narrowed[ObjectIdentifier(target)], !property.accepts(row.runtime.type) else { continue }
          throw SwiftDataError.modelValidationFailure.with(
            entity: layout(of: model).entity.name, property: property.name,
            message: """
              It refers to a new \(layout(of: target).entity.name) whose unique values a saved \(row.entity.name) has, \
              to which it cannot refer.
              """,
            hint: "Fetch the model that has the values, or change those of the new one.",
            identifiers: [model.anyIdentifier, target.anyIdentifier])
        }
      }
    }
  }
}
