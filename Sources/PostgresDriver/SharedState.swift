import Relational
import Support

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
  let parameterTypes = ParameterTypes()
  let writer = Mutex(WriterState())

  init(_ configuration: PostgresConfiguration) {
    self.configuration = configuration
  }
}
