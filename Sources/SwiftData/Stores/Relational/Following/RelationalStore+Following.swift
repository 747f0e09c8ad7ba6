import Relational

extension RelationalStore {
  /// Notifies contexts of commits by other processes, and by other containers of this one.
  func follow(
    _ post: @escaping @Sendable (ChangeNotice) -> Void,
    finish: @escaping @Sendable (any HistoryToken) -> Void = { _ in }
  ) {
    guard keepsHistory, let signal, DatabaseInterception.isFollowed else { return }
    let follower = follower
    do {
      // A read-only store may have no history.
      guard try database.read({ try HistoryTable.inspect($0, database.dialect) }) == .table else { return }
      try follower.start(signal, last: beginNotifying, post) { [weak self] in
        follower.advance { [weak self] progress, notices in
          try self?.readTransactions(&progress, &notices, finish) ?? .nothing
        }
      }
    } catch {
      // Reads still find the changes.
      Log.store.error("The container gets no notifications of other writers of \(name): \(error)")
    }
  }

  /// - Returns: The number of the last transaction. No context exists yet that could have missed it.
  private func beginNotifying() throws -> Int64 {
    let last = try lastTransaction()
    notifiedNumber.store(last, ordering: .releasing)
    return last
  }

  func stopFollowing() {
    follower.stop()
  }

  /// Records that contexts were notified of a transaction of this store. They are notified in the order of transactions,
  /// except those of other containers, which the follower finds.
  func recordNotified(_ number: Int64) {
    if isShared {
      _ = notifiedNumber.compareExchange(expected: number - 1, desired: number, ordering: .acquiringAndReleasing)
    } else {
      notifiedNumber.store(number, ordering: .releasing)
    }
  }

  /// The number of the last transaction; zero for a read-only store without a history.
  func lastTransaction() throws -> Int64 {
    do {
      return try database.read { try lastTransaction($0) }
    } catch let error as DatabaseError {
      if try isWithoutHistory() { return 0 }
      throw StoreErrors.reading(configuration, error)
    }
  }

  private func lastTransaction(_ connection: any Connection) throws -> Int64 {
    var last: Int64 = 0
    try connection.forEachRow(
      shapes.lastKey(of: HistoryTable.name), [.integer(RowIdentity.lastNumber), .text(HistoryTable.name)]
    ) { last = max(last, $0.integer(0), $0.integer(1)) }
    return last
  }

  /// How many transactions are read at once.
  private static let followedCount = 256

  /// Reads transactions after the last one, and makes notices of those by other containers and processes.
  ///
  /// - Parameter finish: Called with the token of the last one after contexts were notified.
  private func readTransactions(
    _ progress: inout StoreFollower.Progress, _ notices: inout [ChangeNotice],
    _ finish: @escaping @Sendable (any HistoryToken) -> Void
  ) throws -> StoreFollower.Finding {
    let after = progress.last
    var select = Select(columns: [HistoryTable.number, HistoryTable.changes], from: HistoryTable.name)
    select.condition = .binary(.greater, .column(HistoryTable.number), .value(.integer(after)))
    select.orderBy = [Select.Ordering(.column(HistoryTable.number))]
    select.limit = Self.followedCount
    var found: [ChangeNotice] = []
    var lastFound: Int64 = 0
    var count = 0
    let (deleted, end, isReplaced) = try database.read { connection in
      let deleted = try HistoryTable.lastDeleted(connection, database.dialect)
      var end = after
      try connection.forEachRow(database.dialect.render(select)) { row in
        count += 1
        end = row.integer(0)
        if let notice = row.withBlob(1, notice) {
          found.append(notice)
          lastFound = end
        }
      }
      return (deleted, end, !connection.isInPlace)
    }
    progress.last = max(deleted, end)
    // Nothing is missing if this store deleted the transactions, or if contexts were notified of them before.
    if deleted > max(after, notifiedNumber.load(ordering: .acquiring)),
      deleted != erasureNumber.load(ordering: .acquiring)
    {
      // Deleted transactions are unknown, so all rows may have changed.
      notices.append(everything)
      lastFound = progress.last
    } else {
      notices += found
    }
    if isReplaced, !progress.isReplaced {
      // This container cannot see changes of the new file.
      Log.store.error("The file of \(name) was deleted, renamed or replaced while it was open; open the store again.")
      notices.append(everything)
      lastFound = progress.last
    }
    progress.isReplaced = isReplaced
    // Saves of this store notify contexts themselves. Later commits have greater numbers.
    let areNotified = hasAnnouncedCommits
    let last = progress.last
    let token = notices.isEmpty ? nil : DefaultHistoryToken(store: identifier.string, number: lastFound)
    return StoreFollower.Finding(mayHaveMore: count == Self.followedCount) { [weak self] in
      if areNotified { self?.notifiedNumber.max(last, ordering: .acquiringAndReleasing) }
      if let token { finish(token) }
    }
  }

  /// The notice that all rows may have changed.
  private var everything: ChangeNotice {
    ChangeNotice(unknown: Set(layout.all.map(\.ordinal)), isInvalidation: true)
  }

  /// The notice of a transaction; nil for one of this store, which has notified contexts itself.
  private func notice(_ bytes: UnsafeRawBufferPointer) -> ChangeNotice? {
    if HistoryRecord.isFrom(origin, bytes) { return nil }
    guard let record = try? HistoryRecord(reading: bytes, lastKey: { layout.layout(named: $0).map { _ in .max } })
    else { return everything }
    var notice = ChangeNotice()
    for group in record.groups {
      // Another container may have models that this one lacks.
      guard let layout = layout.layout(named: group.entity) else { continue }
      switch group.kind {
      case .insert, .revival:
        notice.inserted.add(group.keys, of: layout.ordinal)
      case .update:
        let properties = group.properties.compactMap { layout.property(named: $0)?.index }
        let bits = properties.reduce(UInt64(0)) { $0 | _ModelState.bit($1) }
        notice.updated.add(group.keys, of: layout.ordinal, properties: bits)
        let isRelinked = properties.contains { layout.runtime.properties[$0].toOne != nil }
        if isRelinked { notice.relinked.add(group.keys, of: layout.ordinal, properties: bits) }
        for index in properties where layout.runtime.properties[index].toMany != nil {
          notice.recordLists(of: group.keys, layout.ordinal, index)
        }
      case .delete:
        notice.deleted.add(group.keys, of: layout.ordinal)
      }
    }
    return notice
  }
}
