import CLibpq

/// An error of libpq or of the server.
struct LibpqFailure: Error, CustomStringConvertible {
  let description: String

  init(_ connection: OpaquePointer?, doing task: String) {
    description = "libpq, \(task): \(PQerrorMessage(connection).map { String(cString: $0) } ?? "out of memory")"
  }

  init(result: OpaquePointer?, doing task: String) {
    description = "libpq, \(task): \(PQresultErrorMessage(result).map { String(cString: $0) } ?? "no result")"
  }
}
