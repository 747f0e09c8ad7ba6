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
    /// characters.
    public var includesValues: Bool

    /// Makes a choice of what is logged.
    public init(slowThreshold: Duration? = nil, includesValues: Bool = false) {
      self.slowThreshold = slowThreshold
      self.includesValues = includesValues
    }
  }
}
