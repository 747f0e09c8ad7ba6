import Foundation

/// A store of a container.
protocol Store: AnyObject, Sendable {
  /// The name of its configuration.
  var name: String { get }
  var debugDescription: String { get }
  var identifier: InternedString { get }
  func makeSession(for editingState: EditingState) -> any StoreSession
  /// Deletes everything.
  ///
  /// - Parameter announce: Notifies the contexts.
  func erase(announce: () -> Void) throws

  /// Runs `body`. Reads of this thread from the store see one committed state meanwhile, if the store has transactions.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs statements in one transaction, if the store supports them.
  func execute(_ statements: [String]) throws

  /// The transactions of the store's history that a descriptor selects, in its order; nil if the store has none of that
  /// type.
  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?

  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Returns: Whether the store has transactions of that type.
  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool

  /// Notifies about commits of others to the store, if it can follow them.
  ///
  /// - Parameters:
  ///   - post: Called once for each transaction, in order.
  ///   - finish: Called with the token of the last transaction of a read, after `post` was called for all of them.
  func follow(
    _ post: @escaping @Sendable (ChangeNotice) -> Void, finish: @escaping @Sendable (any HistoryToken) -> Void)

  func stopFollowing()

  /// Whether `backUp` can be called.
  var canBackUp: Bool { get }

  /// Writes a copy of one committed state to a new file, and removes it if it throws.
  func backUp(to url: URL) throws

  /// Closes the store. Later calls throw.
  func close() throws
}

extension Store {
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  func execute(_ statements: [String]) throws { throw DataStoreError.unsupportedFeature }
}
