import Relational

extension RelationalStore {
  /// Tells contexts from now on what others commit to the file: other processes, and other containers of this one.
  ///
  /// - Parameter post: Told of each transaction once, in order.
  func follow(_ post: @escaping @Sendable (ChangeNotice) -> Void) {
    guard keepsHistory, !configuration.isStoredInMemoryOnly, DatabaseInterception.isFollowed else { return }
    let follower = follower
    do {
      // A store that cannot be written to may have none.
      guard try database.read({ try HistoryTable.look($0, database.dialect) }) == .table else { return }
      try follower.start(configuration.url.withoutLinks.path, last: lastTransaction, post) { [weak self] in
        follower.advance { last, notices in try self?.readTransactions(&last, &notices) ?? false }
      }
    } catch {
      // What others commit is still found whenever rows are read.
      Log.store.error("Nobody tells when others write to \(name): \(error)")
    }
  }

  func stopFollowing() {
    follower.stop()
  }

  /// The number of the last transaction; zero for a store that has no history because nobody could give it one.
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

  /// Reads the history behind a number, and makes notices of all but the store's own transactions.
  ///
  /// - Returns: Whether there may be more.
  private func readTransactions(_ last: inout Int64, _ notices: inout [ChangeNotice]) throws -> Bool {
    let after = last
    var select = Select(columns: [HistoryTable.number, HistoryTable.changes], from: HistoryTable.name)
    select.condition = .binary(.greater, .column(HistoryTable.number), .value(.integer(after)))
    select.orderBy = [Select.Ordering(.column(HistoryTable.number))]
    select.limit = Self.followedCount
    var found: [ChangeNotice] = []
    var count = 0
    let (deleted, end) = try database.read { connection in
      let deleted = try HistoryTable.lastDeleted(connection, database.dialect)
      var end = after
      try connection.forEachRow(database.dialect.render(select)) { row in
        count += 1
        end = row.integer(0)
        if let notice = row.withBlob(1, notice) { found.append(notice) }
      }
      return (deleted, end)
    }
    if deleted > after {
      // Some of what happened cannot be told any more.
      notices.append(ChangeNotice(unknown: Set(layout.all.map(\.ordinal))))
      last = max(deleted, end)
    } else {
      notices += found
      last = end
    }
    return count == Self.followedCount
  }

  /// What contexts are told of a transaction; nil for one of this store, of which they were told.
  private func notice(_ bytes: UnsafeRawBufferPointer) -> ChangeNotice? {
    if HistoryRecord.isFrom(origin, bytes) { return nil }
    guard let record = try? HistoryRecord(reading: bytes, lastKey: { layout.layout(named: $0).map { _ in .max } })
    else { return ChangeNotice(unknown: Set(layout.all.map(\.ordinal))) }
    var notice = ChangeNotice(mayBeLate: true)
    for group in record.groups {
      // Another container may have models that this one lacks.
      guard let layout = layout.layout(named: group.entity) else { continue }
      switch group.kind {
      case .insert:
        notice.inserted.add(group.keys, of: layout.ordinal)
      case .revival:
        notice.inserted.add(group.keys, of: layout.ordinal)
        notice.revived.add(group.keys, of: layout.ordinal)
      case .update:
        let properties = group.properties.reduce(UInt64(0)) { bits, name in
          layout.property(named: name).map { bits | _ModelState.bit($0.index) } ?? bits
        }
        notice.updated.add(group.keys, of: layout.ordinal, properties: properties)
      case .delete:
        notice.deleted.add(group.keys, of: layout.ordinal)
      }
    }
    return notice
  }
}
