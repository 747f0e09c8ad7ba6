import Relational
import Support
import SystemPostgres

/// What the connections of one database share.
final class SharedState: Sendable {
  /// What is known of the row `swiftdata_writer`, which each transaction that writes locks and increments.
  struct WriterState {
    /// The number of the last writer if it was one of this object's and has committed.
    var lastNumber: Int64?
    /// See `Connection.writeGeneration`.
    var generation: UInt64 = 0
    /// Whether the table with the row is known to exist.
    var isTableKnown = false
    /// Whether the table of the store's metadata is known to exist.
    var isStoreKnown = false
  }

  let configuration: PostgresConfiguration
  /// The types of the parameters of statements, by their SQL.
  let parameterTypes = Mutex(RecentValues<String, [Oid]>(capacity: 4096))
  let writer = Mutex(WriterState())

  init(_ configuration: PostgresConfiguration) {
    self.configuration = configuration
  }
}
