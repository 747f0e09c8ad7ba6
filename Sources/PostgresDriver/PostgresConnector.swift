import Foundation
import Relational
import SystemPostgres

/// Opens connections to a server.
struct PostgresConnector {
  let configuration: PostgresConfiguration

  /// An established connection with the encoding of the store, in blocking mode.
  func connect() throws -> OpaquePointer {
    let keywords = try keywords()
    // Otherwise the name of a database could be a connection string to another server.
    let expands: Int32 = if case .url = configuration.server { 1 } else { 0 }
    let connection = withCStrings(keywords.map(\.name)) { names in
      withCStrings(keywords.map(\.value)) { values in PQconnectdbParams(names, values, expands) }
    }
    guard let connection else { throw DatabaseError(reason: .cannotOpen, message: "there is no memory left") }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw failure(of: connection)
    }
    // libpq would print the server's notices.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      PQfinish(connection)
      throw DatabaseError(
        reason: .cannotOpen, message: "the database has the encoding \(encoding ?? "") and not UTF8")
    }
    return connection
  }

  private func keywords() throws -> [(name: String, value: String)] {
    // Later keywords win, those in the address included.
    var keywords = [
      (name: "connect_timeout", value: String(max(2, Int(min(configuration.connectTimeout, 1e6).rounded(.up))))),
      (name: "keepalives_idle", value: "30"), (name: "keepalives_interval", value: "10"),
      (name: "keepalives_count", value: "3"),
      // Keepalives do not run while the server has not acknowledged what was sent. In milliseconds.
      (name: "tcp_user_timeout", value: "60000"),
    ]
    guard ServerAddress(configuration.server) != nil else {
      throw DatabaseError(reason: .cannotOpen, message: "the address of the server is malformed")
    }
    let parameters: [String: String]
    switch configuration.server {
    case .url(let url, let replacements):
      keywords.append((name: "dbname", value: url))
      parameters = replacements
    case .parameters(let values):
      parameters = values
    }
    keywords += parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    if let name = configuration.applicationName { keywords.append((name: "application_name", value: name)) }
    keywords.append((name: "client_encoding", value: "UTF8"))
    return keywords
  }

  /// Passes C strings to `body`, as an array with nil at its end.
  private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
      // The array is never empty.
      body(pointers.baseAddress.unsafelyUnwrapped)
    }
  }

  /// libpq gives the errors of connecting as text only. Some have an SQLSTATE in the server's log, but not here.
  private func failure(of connection: OpaquePointer) -> DatabaseError {
    var message = Pipeline.message(of: connection)
    let reason = Self.reason(for: message)
    if let password = PQpass(connection).map({ String(cString: $0) }), !password.isEmpty {
      message = message.replacingOccurrences(of: password, with: "***")
    }
    return DatabaseError(reason: reason, message: message)
  }

  private static func reason(for message: String) -> DatabaseError.Reason {
    func says(_ texts: String...) -> Bool { texts.contains { message.contains($0) } }
    if says("too many clients", "remaining connection slots", "too many connections", "no more connections") {
      return .busy
    }
    if says("starting up", "shutting down", "not yet accepting", "in recovery mode") { return .disconnected }
    // Otherwise no server has answered.
    return says("FATAL:", "invalid", "certificate", "no password supplied") ? .cannotOpen : .disconnected
  }

  /// Opens a connection of a pool, with its settings, and creates the schema where it is missing.
  static func open(_ shared: SharedState) throws -> PostgresConnection {
    let configuration = shared.configuration
    let connection = PostgresConnection(
      try Pipeline(try PostgresConnector(configuration: configuration).connect()), shared)
    do {
      try prepare(connection, configuration)
      return connection
    } catch {
      connection.invalidate()
      throw error
    }
  }

  private static func prepare(_ connection: PostgresConnection, _ configuration: PostgresConfiguration) throws {
    let pipeline = connection.pipeline
    if configuration.preparedStatements {
      let settings = SessionSettings(configuration).sql(isLocal: false)
      pipeline.send(settings, Request(settings, .sent))
    }
    let name = configuration.schema
    let metadata = "\(name.inDoubleQuotes).swiftdata_metadata"
    let exists = Request(
      "SELECT to_regnamespace(\(name.inDoubleQuotes.inSingleQuotes)) IS NOT NULL, "
        + "to_regclass(\(metadata.inSingleQuotes)) IS NOT NULL", .awaited)
    pipeline.send(exists.sql, exists)
    try connection.wait(for: exists)
    if exists.firstValue(1)?.first == 1 { connection.shared.writer.withLock { $0.isStoreKnown = true } }
    if exists.firstValue(0)?.first == 1 || configuration.isReadOnly { return }
    do {
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(name.inDoubleQuotes)")
    } catch let error as DatabaseError where error.reason == .readOnly {
      throw DatabaseError(reason: .cannotOpen, message: "the schema \(name) cannot be created: \(error.message)")
    } catch let error as DatabaseError where error.reason == .uniqueViolation {
      // Another process has created it at the same time.
    }
  }
}
