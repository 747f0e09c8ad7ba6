import Foundation

/// Merges the histories of several stores.
struct HistoryMerge {
  /// The committed transactions of a store by time.
  private struct Timeline {
    let store: String
    /// The number of the last deleted transaction.
    let deleted: Int64
    let numbers: [Int64]
    /// For each number, the earliest time of its transaction and all later ones.
    let times: [Double]

    /// The number of the last transaction that was committed before a time, or also at that time.
    func number(at time: Double, includesThat: Bool) -> Int64 {
      var (low, high) = (0, times.count)
      while low < high {
        let middle = (low + high) / 2
        if times[middle] < time || (includesThat && times[middle] == time) { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? min(deleted, (numbers.first ?? .max) - 1) : numbers[low - 1]
    }
  }

  private let stores: [RelationalStore]
  /// The number of the last transaction of each store before any history was read: later transactions are beyond the
  /// tokens.
  private let ends: [Int64]

  /// - Parameter stores: The stores of a container.
  init(_ stores: [any Store]) throws {
    self.stores = stores.compactMap { $0 as? RelationalStore }.filter(\.keepsHistory)
    ends = try self.stores.map { try $0.lastTransaction() }
  }

  /// - Parameter histories: The transactions of each store, in its order.
  func transactions<T: HistoryTransaction>(_ histories: [[T]], _ descriptor: HistoryDescriptor<T>) throws -> [T] {
    let limit = descriptor.fetchLimit == 0 ? .max : Int(clamping: descriptor.fetchLimit)
    let merged =
      descriptor.sortBy.isEmpty
      ? inOrder(histories, limit) : Array(histories.flatMap { $0 }.sorted(using: descriptor.sortBy).prefix(limit))
    guard let transactions = merged as? [DefaultHistoryTransaction], stores.count > 1 else { return merged }
    let found = descriptor.sortBy.isEmpty ? histories as? [[DefaultHistoryTransaction]] : nil
    // Transactions before the descriptor's token were returned by an earlier fetch.
    let starts = try (descriptor as? HistoryDescriptor<DefaultHistoryTransaction>).map { descriptor in
      try stores.map { try HistoryQuery(descriptor, $0).earliestToken ?? 0 }
    }
    return try withTokensOfAllStores(transactions, found ?? [], starts ?? []) as? [T] ?? merged
  }

  /// Merges the histories by time, and keeps the order within each store: clocks can be set back.
  private func inOrder<T: HistoryTransaction>(_ histories: [[T]], _ limit: Int) -> [T] {
    var rests = histories.map { $0[...] }
    var merged: [T] = []
    while merged.count < limit {
      var earliest: (index: Int, time: Date)?
      for (index, rest) in rests.enumerated() {
        guard let time = rest.first?.timestamp, earliest.map({ time < $0.time }) ?? true else { continue }
        earliest = (index, time)
      }
      guard let index = earliest?.index, let next = rests[index].popFirst() else { break }
      merged.append(next)
    }
    return merged
  }

  /// Gives each transaction a token with the position of all stores at the time of its commit.
  ///
  /// - Parameters:
  ///   - histories: The histories that were merged in the order of the commits; empty for another order.
  ///   - starts: The number, for each store, after which the fetch began.
  private func withTokensOfAllStores(
    _ transactions: [DefaultHistoryTransaction], _ histories: [[DefaultHistoryTransaction]], _ starts: [Int64]
  ) throws -> [DefaultHistoryTransaction] {
    guard let earliest = transactions.map(\.timestamp).min() else { return transactions }
    let timelines = try zip(stores, ends).map { store, end in
      let timeline = try store.timeline(through: end, backTo: earliest.timeIntervalSinceReferenceDate)
      var times = timeline.entries.map(\.time)
      for index in times.indices.dropLast().reversed() { times[index] = min(times[index], times[index + 1]) }
      return Timeline(
        store: store.identifier.string, deleted: timeline.deleted, numbers: timeline.entries.map(\.number), times: times
      )
    }
    // In the order of the commits, a token never includes transactions that were not returned yet.
    var rests: [String: ArraySlice<DefaultHistoryTransaction>] = [:]
    for history in histories { if let store = history.first?.storeIdentifier { rests[store] = history[...] } }
    var passed = Dictionary(zip(stores.map(\.identifier.string), starts)) { first, _ in first }
    return transactions.map { transaction in
      let time = transaction.timestamp.timeIntervalSinceReferenceDate
      var isBehind = false
      var numbers = transaction.token.tokenValue ?? [:]
      if rests[transaction.storeIdentifier]?.popFirst() != nil {
        passed[transaction.storeIdentifier] = transaction.transactionIdentifier
      }
      for timeline in timelines {
        if timeline.store == transaction.storeIdentifier {
          isBehind = true
          continue
        }
        var number = timeline.number(at: time, includesThat: !isBehind)
        number = max(number, passed[timeline.store] ?? 0)
        if let next = rests[timeline.store]?.first { number = min(number, next.transactionIdentifier - 1) }
        if !histories.isEmpty { passed[timeline.store] = number }
        numbers[timeline.store] = number
      }
      return transaction.with(DefaultHistoryToken(numbers))
    }
  }
}

extension DefaultHistoryTransaction {
  fileprivate func with(_ token: DefaultHistoryToken) -> DefaultHistoryTransaction {
    DefaultHistoryTransaction(
      timestamp: timestamp, changes: changes, token: token, transactionIdentifier: transactionIdentifier,
      storeIdentifier: storeIdentifier, bundleIdentifier: bundleIdentifier, processIdentifier: processIdentifier,
      author: author)
  }
}
