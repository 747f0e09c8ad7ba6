import Relational

/// What a store's database refused to do: a full disk, a damaged file, a lock that was not released in time.
///
/// An addition of OpenSwiftData: Apple's framework lets errors of Core Data through in these cases. Nothing was written
/// to this store, and what the context has for it is as it was; ``savedStores`` tells which others were.
public struct StoreFailure: Error, CustomStringConvertible, CustomDebugStringConvertible {
  /// Why the database refused.
  public enum Reason: String, Hashable, Sendable {
    case busy, corrupt, notADatabase, diskFull, readOnly, cannotOpen, constraint, other
    /// The store's file was deleted, renamed or replaced while it was open: what is saved now nobody would find.
    case moved
  }

  enum Operation: String, Sendable {
    case reading, writing
  }

  public let reason: Reason
  /// The database's own words.
  public let message: String
  /// The statement, without its values.
  public let sql: String?
  /// The name of the store's configuration.
  public let store: String
  /// The models that were being written when it happened, as far as that is known.
  public internal(set) var persistentIdentifiers: [PersistentIdentifier] = []
  /// The names of the configurations whose stores had saved their part of the changes before this one failed.
  public internal(set) var savedStores: [String] = []
  let operation: Operation
  /// Whether the statement is larger or deeper than the database takes.
  let isTooComplex: Bool

  init(operation: Operation, store: String, error: DatabaseError) {
    self.operation = operation
    self.store = store
    message = error.message
    sql = error.sql
    isTooComplex = error.reason == .tooComplex
    reason =
      switch error.reason {
      case .busy, .interrupted: .busy
      case .corrupt: .corrupt
      case .notADatabase: .notADatabase
      case .diskFull: .diskFull
      case .readOnly: .readOnly
      case .cannotOpen: .cannotOpen
      case .moved: .moved
      case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation: .constraint
      case .tooComplex, .other: .other
      }
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
