import CLibpq

/// Statements that are sent before the answers to earlier ones have arrived.
///
/// The socket blocks. That is safe where the answers are small: the server would only stop reading when they are not read.
struct Pipeline: ~Copyable {
  private let handle: OpaquePointer

  init(_ connection: Connection) throws {
    handle = connection.handle
    guard PQenterPipelineMode(handle) == 1 else { throw LibpqFailure(handle, doing: "entering pipeline mode") }
  }

  deinit {
    PQexitPipelineMode(handle)
  }

  func send(_ name: String, _ parameters: Parameters = Parameters()) throws {
    let isSent = parameters.withParameters { count, values, lengths, formats in
      PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw LibpqFailure(handle, doing: name) }
  }

  /// Makes the server answer what was sent, without ending the transaction after an error.
  func flush() throws {
    guard PQsendFlushRequest(handle) == 1, PQflush(handle) == 0 else { throw LibpqFailure(handle, doing: "flushing") }
  }

  func synchronize() throws {
    guard PQpipelineSync(handle) == 1 else { throw LibpqFailure(handle, doing: "synchronizing") }
  }

  /// The answer to the next statement.
  func rows(_ name: String) throws -> Rows {
    let rows = try Rows(PQgetResult(handle), doing: name)
    // A null result ends the answers to a statement.
    PQclear(PQgetResult(handle))
    return rows
  }

  func readSynchronization() throws {
    let result = PQgetResult(handle)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw LibpqFailure(handle, doing: "synchronizing") }
  }
}
