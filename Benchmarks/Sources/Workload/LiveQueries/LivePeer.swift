package import Foundation

/// A store with queries whose results follow its changes. The main thread uses it.
package protocol LivePeer: AnyObject, SendableMetatype {
  static var name: String { get }

  /// Opens the store.
  init(_ file: URL) throws

  /// Whether it has a notion of changes that are saved like this.
  static func knows(_ saving: LiveSaving) -> Bool

  /// Makes ready to change some rows, by their numbers.
  func hold(_ rows: [Int], for saving: LiveSaving) throws
  /// Opens queries. Their results are complete when it returns.
  ///
  /// - Parameter showsDifferences: Whether it is found out how the results differ from what they were.
  func open(_ queries: [LiveQuery], showsDifferences: Bool) throws
  /// Closes all queries.
  func close() throws
  /// Reads what queries read, and keeps nothing but what the database keeps for itself.
  func readAhead(_ queries: [LiveQuery]) throws

  /// Makes a change, and saves it where the case has it saved.
  func make(_ change: LiveChange, savedBy saving: LiveSaving) throws
  /// Saves what has been changed.
  func save() throws
  /// Returns when all results are what they have to be.
  func bringUpToDate() throws
  /// Observes results again that have notified since.
  func observeAgain()

  /// How often results have notified since the queries were opened.
  var notifications: Int { get }
  /// The numbers of the rows that a query has as results, by its position among those opened.
  func numbers(ofQuery index: Int) throws -> [Int]
}
