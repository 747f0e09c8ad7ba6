import SystemPostgres

/// A client without the driver, which sees a connection of the server as another program left it.
final class RawClient {
  private let connection: OpaquePointer?

  init(url: String) {
    connection = PQconnectdb(url)
  }

  deinit {
    PQfinish(connection)
  }

  /// The first value of the answer; the message of the server when there is none.
  func value(_ sql: String) -> String {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) > 0, let value = PQgetvalue(result, 0, 0) else {
      return PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    }
    return String(cString: value)
  }
}
