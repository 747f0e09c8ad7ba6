extension ModelContext {
  /// Fetches transactions of the history: the changes of saves, by any context and any process.
  ///
  /// ```swift
  /// let new = try context.fetchHistory(
  ///   HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
  /// ```
  ///
  /// Without sort descriptors, the transactions of a store are in the order of their commits; those of several stores are
  /// merged by their time. Each token then has the position of all SQLite stores, so that the program has to keep only the
  /// last one. Unsaved changes are in no history.
  ///
  /// The SQLite store evaluates conditions and sort orders in SQL, except for conditions on ``HistoryTransaction/changes``
  /// and orders of texts. The first fetch from a large history by author, time, process or bundle makes an index of these,
  /// which later saves have to maintain.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when the predicate asks for what comes after a token, and some of
  ///   that was deleted; ``DataStoreError/unsupportedFeature`` when no store of the container keeps transactions of
  ///   this type; ``SwiftDataError/storeFailure`` with the reason `corrupt` for a damaged record.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
    let merge = container.stores.count > 1 ? try HistoryMerge(container.stores) : nil
    let histories = try container.stores.compactMap { try $0.fetchHistory(descriptor) }
    guard let first = histories.first else { throw DataStoreError.unsupportedFeature }
    return try histories.count == 1 ? first : merge?.transactions(histories, descriptor) ?? first
  }

  /// Deletes transactions of the history.
  ///
  /// Tokens of all transactions before the last deleted one have expired from then on. Transactions keep their numbers, and
  /// numbers are never reused.
  ///
  /// - Parameter descriptor: Selects the transactions of each store. Its limit applies too, in the descriptor's order.
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container keeps transactions of this type,
  ///   ``SwiftDataError/modelValidationFailure`` when a store is read-only, or an error of the store. Other stores may
  ///   have deleted theirs then.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var isProvided = false
    for store in container.stores where try store.deleteHistory(descriptor) { isProvided = true }
    guard isProvided else { throw DataStoreError.unsupportedFeature }
  }
}
