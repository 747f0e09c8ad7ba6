extension ModelContext {
  /// Fetches transactions of the history: what saves have changed, by any context and any process.
  ///
  /// ```swift
  /// let new = try context.fetchHistory(
  ///   HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
  /// ```
  ///
  /// Without sort descriptors, the transactions of a store are in the order in which they were committed; those of
  /// several stores are merged by their time. The tokens then tell where each of the SQLite stores stood: the last one is
  /// all that has to be kept. Unsaved changes are in no history.
  ///
  /// The SQLite store evaluates conditions and sort orders in SQL, except for those on
  /// ``HistoryTransaction/changes`` and orders of texts. The first time that a large history is asked for by author,
  /// time, process or bundle, an index of these is made, which later saves have to keep.
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
  /// Tokens of all transactions before the last deleted one have expired from then on. Transactions keep their numbers,
  /// and no number is given to another one.
  ///
  /// - Parameter descriptor: Selects the transactions of each store. Its limit counts as well: together with its order,
  ///   it tells which ones.
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container keeps transactions of this type,
  ///   ``SwiftDataError/modelValidationFailure`` when a store is read-only, or an error of the store. Other stores may
  ///   have deleted theirs then.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var isProvided = false
    for store in container.stores where try store.deleteHistory(descriptor) { isProvided = true }
    guard isProvided else { throw DataStoreError.unsupportedFeature }
  }
}
