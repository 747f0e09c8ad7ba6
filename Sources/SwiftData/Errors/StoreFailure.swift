/// An error of a store's database, such as a full disk, a damaged file, or a lock that was not released in time.
///
/// An addition of OpenSwiftData: in these cases Apple's framework throws errors of Core Data. When a save throws this
/// error, nothing was written to the store that ``store`` names, and the context keeps its unsaved changes of models in
/// that store. ``savedStores`` names the stores that were saved before.
public struct StoreFailure: Error, CustomStringConvertible, CustomDebugStringConvertible {
  /// Why the database reported an error.
  ///
  /// These cases need an explanation:
  ///
  /// - `busy`: a lock was not released within ``ModelConfiguration/StoreOptions/busyTimeout``, or another program wrote
  ///   to the file while it was read.
  /// - `constraint`: a row would break a constraint of its table.
  /// - `other`: none of the other reasons applies; the message tells more.
  public enum Reason: String, Hashable, Sendable {
    case busy, corrupt, notADatabase, diskFull, readOnly, cannotOpen, constraint, other
    /// The store's file was deleted, renamed or replaced while it was open.
    ///
    /// A save would write to a file that cannot be found any more.
    case moved
    /// The container was closed.
    case closed
    /// There is a file already where a backup is to be written.
    case targetExists
  }

  enum Operation: String, Sendable {
    case reading, writing, closing, copying
  }

  public let reason: Reason
  /// The message of the database.
  public let message: String
  /// The SQL statement that failed, without its values.
  public let sql: String?
  /// The name of the configuration of the store that failed.
  public let store: String
  /// The models that were being written when the error occurred, as far as they are known.
  public internal(set) var persistentIdentifiers: [PersistentIdentifier] = []
  /// The names of the configurations whose stores had saved their part of the changes before this store failed.
  public internal(set) var savedStores: [String] = []
  let operation: Operation
  /// Whether the statement is larger or deeper than the database takes.
  let isTooComplex: Bool

  init(
    operation: Operation, store: String, reason: Reason, message: String, sql: String? = nil, isTooComplex: Bool = false
  ) {
    self.operation = operation
    self.store = store
    self.reason = reason
    self.message = message
    self.sql = sql
    self.isTooComplex = isTooComplex
  }

  public var description: String {
    var lines = ["\(operation.rawValue) the store \"\(store)\" failed: \(message) (\(reason.rawValue))"]
    if let sql { lines.append("SQL: \(sql)") }
    if !savedStores.isEmpty { lines.append("saved: \(savedStores.joined(separator: ", "))") }
    lines += persistentIdentifiers.map { "model: \($0)" }
    return lines.joined(separator: "\n  ")
  }

  public var debugDescription: String {
    description
  }
}
