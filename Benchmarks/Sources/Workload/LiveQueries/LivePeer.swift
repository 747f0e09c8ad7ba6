package import Foundation

/// A store with queries whose results follow its changes. It is used on the main thread.
package protocol LivePeer: AnyObject, SendableMetatype {
  static var name: String { get }

  /// Opens the store.
  init(_ file: URL) throws

  /// Whether it supports changes that are saved in this way.
  static func knows(_ saving: LiveSaving) -> Bool

  /// Prepares changes to some rows, by their numbers.
  func hold(_ rows: [Int], for saving: LiveSaving) throws
  /// Opens queries. Their results are complete when it returns.
  ///
  /// - Parameter showsDifferences: Whether to compute the differences between old and new results.
  func open(_ queries: [LiveQuery], showsDifferences: Bool) throws
  /// Closes all queries.
  func close() throws
  /// Runs the statements of queries, so that only the database's own cache keeps their rows.
  func readAhead(_ queries: [LiveQuery]) throws

  /// Makes a change, and saves it if the case requires it.
  func make(_ change: LiveChange, savedBy saving: LiveSaving) throws
  /// Saves all changes.
  func save() throws
  /// Returns when all results are up to date.
  func bringUpToDate() throws
  /// Observes results again that have sent a notification.
  func observeAgain()

  /// The number of notifications since the queries were opened.
  var notifications: Int { get }
  /// The numbers of the rows in the results of a query, by its position among the open queries.
  func numbers(ofQuery index: Int) throws -> [Int]
}
