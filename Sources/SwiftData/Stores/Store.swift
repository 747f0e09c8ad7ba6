import Foundation

/// A store as its container sees it.
protocol Store: AnyObject, Sendable {
  /// The name of its configuration.
  var name: String { get }
  var debugDescription: String { get }
  var identifier: InternedString { get }
  func makeSession(for editingState: EditingState) -> any StoreSession
  /// Deletes everything.
  ///
  /// - Parameter announce: Tells the contexts of it.
  func erase(announce: () -> Void) throws

  /// Runs `body`. What this thread reads from the store meanwhile is one committed state, where the store has such.
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs statements in one transaction, where the store takes such.
  func execute(_ statements: [String]) throws

  /// The transactions of the store's history that a descriptor selects, in its order; nil where the store has none of
  /// such a type.
  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?

  /// Deletes the transactions that a descriptor selects.
  ///
  /// - Returns: Whether the store has transactions of such a type.
  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool

  /// Tells from now on what others commit to the store, where it can know.
  ///
  /// - Parameters:
  ///   - post: Told of each transaction once, in order.
  ///   - finish: Told of the last of those that were found together, when `post` was told of all of them.
  func follow(
    _ post: @escaping @Sendable (ChangeNotice) -> Void, finish: @escaping @Sendable (any HistoryToken) -> Void)

  func stopFollowing()

  /// Whether `backUp` can be called.
  var canBackUp: Bool { get }

  /// Writes a copy of one committed state to a file that is not there yet, and removes what it has written when it throws.
  func backUp(to url: URL) throws

  /// Lets go of what the store has open. Later calls throw.
  func close() throws
}

extension Store {
  func readingOneState<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  func execute(_ statements: [String]) throws { throw DataStoreError.unsupportedFeature }
}
