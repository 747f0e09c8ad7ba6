import Foundation
package import Relational

/// Where an SQLite database is and how it is opened.
package struct SQLiteConfiguration: Sendable {
  package enum Location: Hashable, Sendable {
    case file(String)
    case memory
  }

  /// What survives a loss of power.
  package enum Synchronous: String, Hashable, Sendable {
    /// Nothing: the database may be damaged.
    case off = "OFF"
    /// The database, without the last transactions.
    case normal = "NORMAL"
    /// Every committed transaction.
    case full = "FULL"
  }

  package var location: Location
  package var isReadOnly: Bool
  package var synchronous: Synchronous
  /// How many seconds to wait for other threads, connections and processes that write.
  package var busyTimeout: Double
  /// Notified of a long wait.
  package var waitObserver: WaitObserver?
  /// The largest size of the log file, in bytes, once its contents are in the database file.
  package var logSizeLimit: Int
  /// How many reads of a file run concurrently; at least one.
  package var maximumReaderCount: Int
  /// Functions that SQL can call on every connection, besides SQLite's own.
  package var functions: [ScalarFunction]
  /// Aggregate functions that SQL can call on every connection.
  package var aggregateFunctions: [AggregateFunction]
  /// Functions for sort keys that SQL can order text by on every connection.
  package var sortKeys: [SortKeyFunction]
  /// Functions whose results search indexes store instead of the texts, on every connection.
  package var foldings: [FoldingFunction]
  /// Notified of statements; nil costs nothing.
  package var statementObserver: StatementObserver?
  /// Called with a file that is opened for writing, before anything about it changes, its journal mode included. An error that
  /// it throws leaves the file unchanged.
  package var inspection: (@Sendable (any Connection) throws -> Void)?

  package init(
    location: Location,
    isReadOnly: Bool = false,
    synchronous: Synchronous = .normal,
    busyTimeout: Double = 10,
    waitObserver: WaitObserver? = nil,
    logSizeLimit: Int = 16 << 20,
    maximumReaderCount: Int = max(4, ProcessInfo.processInfo.activeProcessorCount),
    functions: [ScalarFunction] = [],
    aggregateFunctions: [AggregateFunction] = [],
    sortKeys: [SortKeyFunction] = [],
    foldings: [FoldingFunction] = [],
    statementObserver: StatementObserver? = nil,
    inspection: (@Sendable (any Connection) throws -> Void)? = nil
  ) {
    self.location = location
    self.isReadOnly = isReadOnly
    self.synchronous = synchronous
    self.busyTimeout = busyTimeout
    self.waitObserver = waitObserver
    self.logSizeLimit = logSizeLimit
    self.maximumReaderCount = maximumReaderCount
    self.functions = functions
    self.aggregateFunctions = aggregateFunctions
    self.sortKeys = sortKeys
    self.foldings = foldings
    self.statementObserver = statementObserver
    self.inspection = inspection
  }
}
