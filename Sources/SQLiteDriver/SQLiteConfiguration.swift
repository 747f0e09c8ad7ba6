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
    /// Nothing, the database itself included.
    case off = "OFF"
    /// The database, though the last transactions may be lost.
    case normal = "NORMAL"
    /// Every transaction that was committed is kept.
    case full = "FULL"
  }

  package var location: Location
  package var isReadOnly: Bool
  package var synchronous: Synchronous
  /// How many seconds to wait for other threads, connections and processes that write.
  package var busyTimeout: Double
  /// Who is told of a long wait.
  package var waitObserver: WaitObserver?
  /// How many bytes the file of the log may keep once what it has is in the database file.
  package var logSizeLimit: Int
  /// How many reads of a file run beside each other; at least one.
  package var maximumReaderCount: Int
  /// What SQL can call on every connection, besides SQLite's own functions.
  package var functions: [ScalarFunction]
  /// The same for functions over the rows of a group.
  package var aggregateFunctions: [AggregateFunction]
  /// What SQL can order text by on every connection, besides its bytes.
  package var sortKeys: [SortKeyFunction]
  /// What indexes for searches have in place of texts, on every connection.
  package var foldings: [FoldingFunction]
  /// Who is told of statements; nil when nobody is, which costs nothing.
  package var statementObserver: StatementObserver?
  /// Called with a file that is opened for writing, before anything about it is changed: its journal among others. What
  /// it throws keeps the file as it is.
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
