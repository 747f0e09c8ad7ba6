import Foundation

extension ObjectGraph {
  /// See ``ModelContext/enumerate(_:batchSize:allowEscapingMutations:block:)``.
  func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int, allowEscapingMutations: Bool,
    block: (_ model: T) throws -> Void
  ) throws {
    try check(batchSize, T.self)
    try prepareToRead(fetch)
    let binding = try requireBinding(for: T.self)
    func visit(_ models: [T]) throws {
      for model in models where model._$withState({ $0.status != .detached }) {
        try interrupted { try block(model) }
      }
      if !allowEscapingMutations { try throwEscapingMutations(T.self) }
    }
    if !allowEscapingMutations { try throwEscapingMutations(T.self) }
    if fetch.includePendingChanges, hasChanges { return try visit(try self.fetch(fetch)) }
    if fetch.sortBy.isEmpty {
      let plan = try fetchPlan(fetch, for: .pages, binding)
      if plan.residue.isEmpty, let last = try binding.session.lastKey(of: binding.entity) {
        return try visitPages(fetch, plan, binding, through: last, batchSize, visit)
      }
    }
    let rows = try savedRows(fetch)
    for start in stride(from: 0, to: rows.count, by: batchSize) {
      let positions = start..<min(start + batchSize, rows.count)
      let batch = try models(rows.rows(at: positions), fetch, passingOverDeleted: true)
      try visit(batch)
    }
  }

  /// Visits models in the order of their keys, page by page.
  private func visitPages<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ plan: any FetchPlan, _ binding: EntityBinding, through last: Int64,
    _ batchSize: Int, _ visit: ([T]) throws -> Void
  ) throws {
    var remaining = descriptor.limit ?? .max
    var page = FetchRestriction.KeyPage(after: 0, through: last, offset: descriptor.fetchOffset ?? 0, limit: 0)
    let pages = ModelPages(self, descriptor, plan, binding)
    while remaining > 0 {
      page.limit = min(batchSize, remaining)
      let models = try pages.models(in: page)
      guard let end = models.last?._$withState({ $0.key }) else { return }
      page.after = end
      page.offset = 0
      remaining -= models.count
      try faulting.prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
      try visit(models)
      if models.count < page.limit { return }
    }
  }

  private func throwEscapingMutations<T: PersistentModel>(_ type: T.Type) throws {
    guard hasChanges else { return }
    throw SwiftDataError.escapingMutations.with(
      entity: "\(type)",
      message: "The context has unsaved changes, which keep the models of the enumeration in memory.",
      hint: "Save in the block or before, or allow escaping mutations.")
  }

  private func check<T: PersistentModel>(_ batchSize: Int, _ type: T.Type) throws {
    guard batchSize < 1 else { return }
    throw SwiftDataError.invalidFetchDescriptor.with(
      entity: "\(type)", message: "batchSize must be at least 1 (was \(batchSize)).")
  }

  func savedRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ batchSize: Int) throws -> FetchedRows {
    try check(batchSize, T.self)
    try prepareToRead(descriptor)
    guard !descriptor.includePendingChanges || !hasChanges else {
      throw SwiftDataError.includePendingChangesWithBatchSize.with(
        entity: "\(T.self)", message: "A fetch in batches cannot include the context's unsaved changes.",
        hint: "Save first, or set includePendingChanges to false.")
    }
    return try savedRows(descriptor)
  }

  /// The committed rows that a descriptor selects.
  func savedRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchedRows {
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    let fetch = try FetchOperation(descriptor, for: .keys, in: self)
    let rows = FetchedRows(of: fetch.binding.session.storeName)
    if try fetch.keys(receive: rows.append) { return rows }
    for model in try fetch.models() {
      try rows.append(model._$withState { RowKey(key: $0.key, entity: $0.binding?.ordinal ?? fetch.binding.ordinal) })
    }
    return rows
  }

  /// The models of some rows, in their order, with the rows' current values.
  ///
  /// - Parameters:
  ///   - passingOverDeleted: Whether deleted rows are left out; otherwise their models have default values.
  ///   - keepingRead: Whether models in memory are not read again: the context has merged the changes of other contexts.
  func models<T: PersistentModel>(
    _ rows: [RowKey], _ descriptor: FetchDescriptor<T>, passingOverDeleted: Bool = false, keepingRead: Bool = false
  ) throws -> [T] {
    let binding = try requireBinding(for: T.self)
    let group = FetchGroup(map: binding.map)
    // Retained until they are in the result, because the map does not retain them.
    var read: [Int64: any PersistentModel] = Dictionary(minimumCapacity: rows.count)
    let selection = try PropertySelection(descriptor, binding.runtime)
    let unread = keepingRead ? rows.filter { !isRead($0, binding) } : rows
    let keys = unread.map(\.key).sorted()
    if !keys.isEmpty {
      try binding.session.rows(of: binding.rootEntity, keys: keys, including: selection) { row, reader in
        read[row.key] = receive(row, reader, nil)
      }
    }
    let known = passingOverDeleted && read.count < rows.count ? rows.filter { read[$0.key] != nil } : rows
    let models = try withExtendedLifetime(read) { try faults(known, of: T.self, group) }
    try faulting.prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
    return models
  }

  private func isRead(_ row: RowKey, _ binding: EntityBinding) -> Bool {
    binding.map.model(row.key)?._$withState { !$0.isFault } ?? false
  }

  /// The models of some rows, as faults.
  func faults<T: PersistentModel>(_ rows: [RowKey], of type: T.Type, _ group: FetchGroup? = nil) throws -> [T] {
    try rows.map { row in
      try fault(row.key, bindingsByOrdinal[row.entity], group: group) as? T ?? T.makePlaceholder()
    }
  }
}

extension ObjectGraph {
  /// Deletes the rows that a predicate selects; see ``ModelContext/delete(model:where:includeSubclasses:)``.
  func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    try prepareToRead(descriptor)
    let fetch = try FetchOperation(descriptor, for: .keys, in: self)
    let binding = fetch.binding
    var rows: [RowKey] = []
    // A store that needs both sides of a relationship needs the models, unless it supports the batch deletion.
    let batch = batchDeletion(model, predicate, includeSubclasses, binding)
    let needsModels = binding.session.keepsBothSides && batch == nil
    if !needsModels, try fetch.keys(receive: { rows.append($0) }) {
      let selected = includeSubclasses ? rows : rows.filter { $0.entity == binding.ordinal }
      try delete(selected)
      if let batch, !selected.isEmpty {
        journal.recordBatchDeletion(
          BatchDeletion(session: binding.sessionIndex, rows: Set(selected), execute: batch))
      }
    } else {
      for found in try fetch.models() {
        if !includeSubclasses, Swift.type(of: found) != model { continue }
        if found._$withState({ $0.status }) == .pending { continue }
        delete(cascadingFrom: found)
      }
    }
    didChange()
  }

  /// A closure that executes a batch deletion, for a store that supports it and an entity that no relationship involves.
  private func batchDeletion<T: PersistentModel>(
    _ model: T.Type, _ predicate: Predicate<T>?, _ includeSubclasses: Bool, _ binding: EntityBinding
  ) -> ((EditingState) throws -> Void)? {
    guard binding.session.keepsBothSides else { return nil }
    let root = binding.entity.rootEntity.name
    let isLinked = core.schema.entities.contains { entity in
      entity.relationships.contains { relationship in
        entity.rootEntity.name == root
          || core.schema.entitiesByName[relationship.destination]?.rootEntity.name == root
      }
    }
    if isLinked { return nil }
    return binding.session.batchDeletion(of: model, where: predicate, includeSubclasses: includeSubclasses)
  }
}

extension ObjectGraph {
  /// Sets properties of the rows that a predicate selects; see ``ModelContext/update(_:where:_:)``.
  ///
  /// - Returns: The number of rows.
  func update<T: PersistentModel>(_ update: RowUpdate, of type: T.Type, where predicate: Predicate<T>?) throws -> Int {
    let context = context
    defer { withExtendedLifetime(context) {} }
    try exclusively(checkNotWriting)
    if update.assignments.isEmpty { return 0 }
    try saving.checkLock()
    defer { if saving.isInTransaction { renewLocks() } }
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    try exclusively { try prepareToRead(descriptor) }
    postWillSave(context)
    let (count, notice) = try exclusively {
      // Observers may have caused a failed read, or have lost the lock by a save.
      try throwAccessFailure()
      try saving.checkLock()
      return try self.update(update, rowsOf: descriptor)
    }
    if let notice { post { postDidSave(notice) } }
    return count
  }

  /// - Returns: The number of rows, and the change notification; nil when there are no rows.
  private func update<T: PersistentModel>(
    _ update: RowUpdate, rowsOf descriptor: FetchDescriptor<T>
  ) throws -> (count: Int, notice: ChangeNotice?) {
    let binding = try requireBinding(for: T.self)
    let plan = try fetchPlan(descriptor, for: .keys, binding)
    let graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    var done: (count: Int, notice: ChangeNotice?) = (0, nil)
    try binding.session.update(update, of: binding.entity, by: graph, author: editingState.author) {
      var rows: [RowKey] = []
      if try plan.keys(receive: { rows.append($0) }) { return rows }
      // Selects by committed values, ignoring this context's changes.
      let found = try withOtherContext { try $0.savedRows(descriptor) }
      return try found.rows(at: 0..<found.count)
    } announce: { rows, token in
      var notice = notice(of: update, rows)
      if let token { notice.historyTokens.append((binding.session.storeIdentifier.string, token)) }
      // This context merges it like a change of another context.
      core.broadcast(notice, from: nil)
      done = (rows.count, notice)
    }
    attemptToProcessInbox()
    return done
  }

  private func notice(of update: RowUpdate, _ rows: [RowKey]) -> ChangeNotice {
    // A class has inherited properties first, so their positions are the same in all subclasses.
    let properties = update.assignments.reduce(UInt64(0)) { $0 | _ModelState.bit($1.property.index) }
    var notice = ChangeNotice()
    for row in rows {
      let toOnes = bindingsByOrdinal[row.entity].memberBits
      notice.recordUpdate(of: row.key, row.entity, properties: properties, toOnes: toOnes)
    }
    return notice
  }
}
