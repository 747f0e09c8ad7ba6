import CLibpq

/// A connection whose statements are prepared once, and whose results are binary.
package final class Connection {
  let handle: OpaquePointer

  /// - Parameter namespace: The schema of the database that statements are about.
  package init(_ url: String, namespace: String) throws {
    guard let opened = PQconnectdb(url), PQstatus(opened) == CONNECTION_OK else {
      throw LibpqFailure(nil, doing: "connecting")
    }
    handle = opened
    try execute("SET search_path TO \"\(namespace)\"")
  }

  deinit {
    PQfinish(handle)
  }

  /// Runs statements without parameters.
  package func execute(_ sql: String) throws {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK else {
      throw LibpqFailure(handle, doing: sql)
    }
  }

  /// The binary rows of a statement without parameters.
  func rows(_ sql: String) throws -> Rows {
    try Rows(PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1), doing: sql)
  }

  /// Prepares a statement for the lifetime of the connection.
  ///
  /// - Parameter name: The name by which it is run.
  func prepare(_ name: String, _ sql: String) throws {
    let result = PQprepare(handle, name, sql, 0, nil)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw LibpqFailure(handle, doing: sql) }
  }

  /// Runs a prepared statement and waits for its rows.
  @inline(__always)
  func run(_ name: String, _ parameters: Parameters = Parameters()) throws -> Rows {
    let result = parameters.withParameters { count, values, lengths, formats in
      PQexecPrepared(handle, name, count, values, lengths, formats, 1)
    }
    return try Rows(result, doing: name)
  }
}
