import PostgresDriver
public import SwiftData

/// Describes a store in a PostgreSQL database: where it is, its name, and its models.
///
/// ```swift
/// import SwiftData
/// import SwiftDataPostgres
///
/// let container = try ModelContainer(
///   for: Trip.self, configurations: PostgresConfiguration(url: "postgresql://app@db.example.com/trips"))
/// ```
///
/// Many processes on many machines may have the store open. What the address leaves out comes from libpq's environment
/// variables, its password file and its service file. No error, log or description shows a password. An addition of
/// OpenSwiftData: see <doc:PostgreSQL>.
public struct PostgresConfiguration: DataStoreConfiguration, Sendable {
  public typealias Store = PostgresStore

  /// How the connection to the server is encrypted, and what is checked.
  public enum TLS: Hashable, Sendable {
    /// What the address or libpq's environment say; encrypted if the server supports it, when they say nothing.
    case automatic
    case disabled
    /// Encrypted, without checking who the server is.
    case required
    /// Encrypted, with a server whose certificate is signed by an authority in a file.
    case verifiesAuthority(rootCertificate: String)
    /// Encrypted, with a server whose certificate is signed by an authority in a file and has the name of the host.
    case verifiesHost(rootCertificate: String)
  }

  /// Settings of the connections.
  public struct Connections: Hashable, Sendable {
    /// How many connections a container opens at most. Each thread that reads or writes needs one meanwhile.
    public var maximumCount: Int
    /// After what time an unused connection is closed.
    public var idleTimeout: Duration
    /// How long opening a connection may take.
    public var connectTimeout: Duration
    /// How long a statement may take; nil for any time. A fetch or save throws
    /// ``SwiftDataError/storeFailure`` with the reason `busy` then.
    public var statementTimeout: Duration?
    /// The name by which the server lists the connections; the name of the program when nil.
    public var applicationName: String?
    /// Whether statements stay prepared, and commits of others are announced by the server.
    ///
    /// Behind a pooler that changes connections between transactions, such as pgbouncer in transaction mode, it must be false.
    /// Commits of others are then looked for every second.
    public var preparedStatements: Bool

    /// Makes settings.
    public init(
      maximumCount: Int = 10, idleTimeout: Duration = .seconds(60), connectTimeout: Duration = .seconds(10),
      statementTimeout: Duration? = nil, applicationName: String? = nil, preparedStatements: Bool = true
    ) {
      self.maximumCount = maximumCount
      self.idleTimeout = idleTimeout
      self.connectTimeout = connectTimeout
      self.statementTimeout = statementTimeout
      self.applicationName = applicationName
      self.preparedStatements = preparedStatements
    }
  }

  /// The name of the configuration.
  public let name: String
  /// The models that the store holds; those of the container that no other configuration lists when nil.
  public var schema: Schema?
  /// The schema of the database that has the store's tables. It is created where it does not exist.
  public internal(set) var namespace: String
  /// Whether contexts may save. When it is false, every transaction of the store is read-only.
  public let allowsSave: Bool
  /// Settings of the connections.
  public var connections = Connections()
  /// How the connections are encrypted.
  public var tls = TLS.automatic
  /// The time that a save waits for other writers, and the history that the store keeps. What concerns files has no effect.
  public var options = ModelConfiguration.StoreOptions()
  /// The SQL statements to log, and the form of the log entries.
  public var statementLogging = ModelConfiguration.StatementLogging()
  let server: PostgresDriver.PostgresConfiguration.Server

  /// Makes a configuration from an address.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration.
  ///   - schema: The models that the store holds; those of the container that no other configuration lists when nil.
  ///   - url: A connection URI of libpq, such as `postgresql://user@host:5432/database`, or its keywords and values.
  ///   - namespace: The schema of the database that has the tables.
  ///   - allowsSave: Whether contexts may save.
  public init(
    _ name: String = "default", schema: Schema? = nil, url: String, namespace: String = "public",
    allowsSave: Bool = true
  ) {
    self.name = name
    self.schema = schema
    self.namespace = namespace
    self.allowsSave = allowsSave
    server = .url(url)
  }

  /// Makes a configuration from the parts of an address; libpq completes what is nil.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration.
  ///   - schema: The models that the store holds; those of the container that no other configuration lists when nil.
  ///   - host: The name or the number of the server's machine, or the folder of its socket.
  ///   - port: The port of the server.
  ///   - database: The name of the database.
  ///   - user: The role.
  ///   - password: The password of the role.
  ///   - namespace: The schema of the database that has the tables.
  ///   - allowsSave: Whether contexts may save.
  public init(
    _ name: String = "default", schema: Schema? = nil, host: String? = nil, port: Int? = nil, database: String? = nil,
    user: String? = nil, password: String? = nil, namespace: String = "public", allowsSave: Bool = true
  ) {
    self.name = name
    self.schema = schema
    self.namespace = namespace
    self.allowsSave = allowsSave
    let parts = ["host": host, "port": port.map(String.init), "dbname": database, "user": user, "password": password]
    server = .parameters(parts.compactMapValues { $0 })
  }

  /// Checks the name and the namespace, without connecting.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the namespace is empty, longer than 63 bytes, or reserved by the
  ///   server (`$user`, `information_schema`, and what begins with `pg_`), and when the options have a folder for backups, which
  ///   only files have.
  public func validate() throws {
    let isReserved = namespace.hasPrefix("pg_") || ["$user", "information_schema"].contains(namespace)
    guard 1...63 ~= namespace.utf8.count, !isReserved, !namespace.utf8.contains(0) else {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "\"\(namespace)\" is no name of a PostgreSQL schema.", hint: "Choose one of 1 to 63 bytes.")
    }
    try model.validate()
  }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name and the place of the store, without the password.
  public var description: String { "\(name) (\(place), schema \(namespace)\(allowsSave ? "" : ", read-only"))" }
  /// The ``description``.
  public var debugDescription: String { description }
  /// The ``description``, so that a dump shows no password.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PostgresConfiguration {
  /// The server and the database, without user and password.
  var place: String { "PostgreSQL \(server.place)" }
}
