import Foundation
import Relational
import SystemPostgres

/// Opens connections to a server.
struct PostgresConnector {
  let configuration: PostgresConfiguration

  /// An established connection with the encoding of the store, in blocking mode.
  func connect() throws -> OpaquePointer {
    let keywords = try keywords()
    let connection = withCStrings(keywords.map(\.name)) { names in
      withCStrings(keywords.map(\.value)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let connection else { throw DatabaseError(reason: .cannotOpen, message: "there is no memory left") }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw failure(of: connection)
    }
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
    ]
    switch configuration.server {
    case .url(let url):
      var message: UnsafeMutablePointer<CChar>?
      let options = PQconninfoParse(url, &message)
      PQfreemem(message)
      // The message of libpq quotes the address.
      guard let options else {
        throw DatabaseError(reason: .cannotOpen, message: "the address of the server is malformed")
      }
      PQconninfoFree(options)
      keywords.append((name: "dbname", value: url))
    case .parameters(let parameters):
      keywords += parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
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
    if let password = PQpass(connection).map({ String(cString: $0) }), !password.isEmpty {
      message = message.replacingOccurrences(of: password, with: "***")
    }
    let isFull = ["too many clients", "remaining connection slots", "too many connections"].contains {
      message.contains($0)
    }
    return DatabaseError(reason: isFull ? .busy : .cannotOpen, message: message)
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
    let exists = Request("SELECT to_regnamespace(\(name.inDoubleQuotes.inSingleQuotes)) IS NOT NULL", .awaited)
    pipeline.send(exists.sql, exists)
    try connection.wait(for: exists)
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
