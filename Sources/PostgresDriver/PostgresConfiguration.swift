package import Relational

/// Which database is used, and how it is connected to.
package struct PostgresConfiguration: Sendable {
  /// What libpq connects to. It completes both from its environment, from password files and from service files.
  package enum Server: Hashable, Sendable {
    /// A connection string, and values by libpq's keywords that replace its own.
    case url(String, replacing: [String: String] = [:])
    /// Values by libpq's keywords.
    case parameters([String: String])
  }

  /// How numbers of the type numeric are written as text.
  package struct Decimals: Sendable {
    /// The text of a number in plain notation, such as `-12.5`; nil for what cannot be a number of the store.
    package var fromPlain: @Sendable (String) -> String?
    /// The opposite; nil for a text that is no number.
    package var toPlain: @Sendable (String) -> String?

    package init(
      fromPlain: @escaping @Sendable (String) -> String? = { $0 },
      toPlain: @escaping @Sendable (String) -> String? = { $0 }
    ) {
      self.fromPlain = fromPlain
      self.toPlain = toPlain
    }
  }

  package var server: Server
  /// The schema, a namespace, in which all tables are. It is created where it does not exist.
  package var schema: String
  package var isReadOnly = false
  /// The largest number of open connections; one of them is kept free for the writer where there are several.
  package var maximumConnections = 10
  /// After how many seconds an unused connection is closed.
  package var idleTimeout = 60.0
  /// How many seconds to wait for a connection to be established; at least two.
  package var connectTimeout = 10.0
  /// How many seconds a statement may take; nil for any time.
  package var statementTimeout: Double?
  /// How many seconds to wait for a free connection, and for other threads and processes that write.
  package var busyTimeout = 10.0
  /// The name of this program in the server's lists of connections.
  package var applicationName: String?
  /// Whether statements stay prepared between transactions. A pooler that changes the server's connection at the end of a
  /// transaction, as pgbouncer may, requires false.
  package var preparedStatements = true
  /// Notified of statements; nil costs nothing.
  package var statementObserver: StatementObserver?
  package var decimals = Decimals()

  package init(server: Server, schema: String = "public") {
    self.server = server
    self.schema = schema
  }
}

// The server's address may contain a password, so that no description shows it.
extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "PostgreSQL, schema \(schema)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["schema": schema]) }
}

extension PostgresConfiguration.Server: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "a PostgreSQL server" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
