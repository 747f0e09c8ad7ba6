extension ModelConfiguration {
  /// The SQL statements of a store to log, and the form of the log entries.
  ///
  /// An addition of OpenSwiftData. Statements are logged by `swift-log` with the label `swiftdata.sql`: each of them at
  /// the level `.trace`, and slow ones at the level `.notice`. The entry's message is the SQL, with `?` in place of
  /// values. Its metadata are
  ///
  /// - `store`: the name of the configuration,
  /// - `milliseconds`: the time that the database spent on the statement,
  /// - `rows`: the number of rows that it returned, or else inserted, updated or deleted,
  /// - `error`: the message of the database, if the statement failed.
  ///
  /// Reads and writes that block one of Swift's threads are logged at the level `.warning`: see ``blockingThreshold``.
  ///
  /// The level of a logger with this label when the container is made determines the entries. Statements that cannot be
  /// logged are not measured either.
  public struct StatementLogging: Hashable, Sendable {
    /// The minimum duration of a slow statement; nil when no statement is slow.
    ///
    /// With a threshold of zero, every statement is logged at the level `.notice`.
    public var slowThreshold: Duration?
    /// Whether the SQL has the values in place of `?`.
    ///
    /// They may be personal data or secrets, so use the option only for development. SQL with values is cut off after 4,000
    /// characters. Saves take longer, because they write each changed row by a separate statement.
    public var includesValues: Bool

    /// The minimum duration of a read or write that blocks one of Swift's threads for which a warning is logged; nil for no
    /// warnings.
    ///
    /// Swift runs tasks on as many threads as there are processors. While one of them waits for the database, other tasks
    /// may have no thread to run on. The warning advises to move the work to a ``ModelActor`` or
    /// ``ModelContainer/perform(_:)``. Its metadata are
    ///
    /// - `store`: the name of the configuration,
    /// - `operation`: `read`, or `write` for a save and for a transaction with its block,
    /// - `milliseconds`: the time that the thread was blocked, including the wait for others and the work with the rows,
    /// - `statement`: the SQL of the statement that took longest, if there was one.
    ///
    /// A thread counts when it runs a task, except for threads of the main actor, of a ``DefaultSerialModelExecutor`` or of
    /// ``ModelContainer/perform(_:)``. Threads of the program's own executors count too. With a threshold of zero, a warning
    /// is logged each time. A custom store is not watched.
    ///
    /// When there is a threshold, statements are measured as with ``slowThreshold``, and each read and write takes a few
    /// more microseconds.
    public var blockingThreshold: Duration?

    /// Makes settings for the log.
    ///
    /// - Parameters:
    ///   - slowThreshold: The minimum duration of a slow statement; nil for none.
    ///   - includesValues: Whether the SQL has the values in place of `?`.
    ///   - blockingThreshold: The minimum duration of a logged read or write that blocks one of Swift's threads; nil for
    ///     none.
    public init(
      slowThreshold: Duration? = nil, includesValues: Bool = false, blockingThreshold: Duration? = nil
    ) {
      self.slowThreshold = slowThreshold
      self.includesValues = includesValues
      self.blockingThreshold = blockingThreshold
    }
  }
}
