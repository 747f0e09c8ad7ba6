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
      for model in models where model._$withState({ $0.status != .gone }) {
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

  /// Visits models in the order of their keys, each page beginning where the one before ended.
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
      try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
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
      entity: "\(type)", message: "A batch has one model at least, and not \(batchSize).")
  }

  func savedRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ batchSize: Int) throws -> FetchedRows {
    try check(batchSize, T.self)
    try prepareToRead(descriptor)
    guard !descriptor.includePendingChanges || !hasChanges else {
      throw SwiftDataError.includePendingChangesWithBatchSize.with(
        entity: "\(T.self)", message: "A fetch in batches cannot include the unsaved changes that there are.",
        hint: "Save first, or set includePendingChanges to false.")
    }
    return try savedRows(descriptor)
  }

  /// The rows that a descriptor selects by what is saved.
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

  /// The models of some rows, in their order, with the values that the rows have now.
  ///
  /// - Parameters:
  ///   - passingOverDeleted: Whether rows that are there no more are left out; their models have default values otherwise.
  ///   - keepingRead: Whether models that are in memory stay as they are: the context has taken in what others saved.
  func models<T: PersistentModel>(
    _ rows: [RowKey], _ descriptor: FetchDescriptor<T>, passingOverDeleted: Bool = false, keepingRead: Bool = false
  ) throws -> [T] {
    let binding = try requireBinding(for: T.self)
    let group = FetchGroup(map: binding.map)
    // Held until they are in their places, because the map does not hold them.
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
    try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, binding)
    return models
  }

  private func isRead(_ row: RowKey, _ binding: EntityBinding) -> Bool {
    binding.map.model(row.key)?._$withState { !$0.isFault } ?? false
  }

  /// The models of some rows, which are read when they are touched.
  func faults<T: PersistentModel>(_ rows: [RowKey], of type: T.Type, _ group: FetchGroup? = nil) throws -> [T] {
    try rows.map { row in
      try fault(row.key, bindingsByOrdinal[row.entity], group: group) as? T ?? T.makePlaceholder()
    }
  }
}
