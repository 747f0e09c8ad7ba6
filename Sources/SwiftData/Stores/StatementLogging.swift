extension ModelConfiguration {
  /// Which SQL statements of a store are logged, and with what.
  ///
  /// An addition of OpenSwiftData. Statements are logged by `swift-log` with the label `swiftdata.sql`: each of them at
  /// the level `.trace`, and slow ones at the level `.notice`. The entry's message is the SQL, with `?` in the place of
  /// values. Its metadata are
  ///
  /// - `store`: the name of the configuration,
  /// - `milliseconds`: how long the database was at work on the statement,
  /// - `rows`: how many rows it returned, or else inserted, updated or deleted,
  /// - `error`: the message of the database, if the statement failed.
  ///
  /// Reads and writes that block one of Swift's threads are logged at the level `.warning`: see ``blockingThreshold``.
  ///
  /// The level that a logger with this label has when the container is made decides what is logged. When that is
  /// nothing, statements are not measured either.
  public struct StatementLogging: Hashable, Sendable {
    /// The duration from which on a statement is slow; none is when nil.
    ///
    /// With a threshold of zero, every statement is logged at the level `.notice`.
    public var slowThreshold: Duration?
    /// Whether values stand in the SQL in the place of `?`.
    ///
    /// They may be personal data or secrets, so that this is for development. SQL with values is cut off after 4,000
    /// characters. Saves take longer, because each changed row is written by a statement of its own.
    public var includesValues: Bool

    /// The duration from which on a warning is logged of a read or write that blocks one of Swift's threads; none is when
    /// nil.
    ///
    /// Swift runs tasks on as many threads as there are processors. While one of them waits for the database, other tasks
    /// may have no thread to go on. Work for the store is for a ``ModelActor`` or ``ModelContainer/perform(_:)``, and the
    /// message of the warning says so. Its metadata are
    ///
    /// - `store`: the name of the configuration,
    /// - `operation`: `read`, or `write` for what a save does and for a transaction with its block,
    /// - `milliseconds`: how long the thread was kept, with the wait for others and what was done with the rows,
    /// - `statement`: the SQL of the statement that took longest, if one was run.
    ///
    /// A thread counts when it runs a task and is not one of the main actor, of a ``DefaultSerialModelExecutor`` or of
    /// ``ModelContainer/perform(_:)``. An executor that a program has written itself counts too. With a threshold of zero,
    /// a warning is logged each time. A custom store is not watched.
    ///
    /// When there is a threshold, statements are measured as with ``slowThreshold``, and each read and write takes a few
    /// more microseconds.
    public var blockingThreshold: Duration?

    /// Makes a choice of what is logged.
    ///
    /// - Parameters:
    ///   - slowThreshold: The duration from which on a statement is slow; nil for none.
    ///   - includesValues: Whether the SQL has the values in the place of `?`.
    ///   - blockingThreshold: The duration from which on a read or write that blocks one of Swift's threads is
    ///     logged; nil for none.
    public init(
      slowThreshold: Duration? = nil, includesValues: Bool = false, blockingThreshold: Duration? = nil
    ) {
      self.slowThreshold = slowThreshold
      self.includesValues = includesValues
      self.blockingThreshold = blockingThreshold
    }
  }
}
