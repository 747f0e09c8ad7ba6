import Relational
import SystemSQLite

/// Registers the functions that search indexes and their queries use with one connection.
enum SearchRegistration {
  private final class Box {
    let function: FoldingFunction

    init(_ function: FoldingFunction) {
      self.function = function
    }
  }

  private typealias Call =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// The name of the function that returns an FTS5 query for a text and the name of an index.
  static func queryName(_ function: String) -> String { "\(function)_query" }

  static func register(_ function: FoldingFunction, on connection: OpaquePointer?) throws {
    // The same flags as in `FunctionRegistration`, and triggers of an untrusted file may call it too.
    try register(function, as: function.name, 1, SQLITE_INNOCUOUS, on: connection) {
      SearchRegistration.fold($0, $2?[0])
    }
    // It reads the index, so only statements of this library may call it.
    try register(function, as: queryName(function.name), 2, SQLITE_DIRECTONLY, on: connection) {
      SearchRegistration.ask($0, $2?[0], $2?[1])
    }
  }

  private static func register(
    _ function: FoldingFunction, as name: String, _ argumentCount: Int32, _ access: Int32,
    on connection: OpaquePointer?, _ call: Call
  ) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | access
    let code = sqlite3_create_function_v2(
      connection, name, argumentCount, flags, Unmanaged.passRetained(Box(function)).toOpaque(), call, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Calls `body` with the folded text. A value that is not a text is never found, and `body` is not called.
  private static func withFolded(
    _ context: OpaquePointer?, _ argument: OpaquePointer?, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let data = sqlite3_user_data(context), sqlite3_value_type(argument) == SQLITE_TEXT,
      let start = sqlite3_value_text(argument)
    else { return }
    let function = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function
    // SQLite lends the bytes for the call.
    function.write(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument))), body)
  }

  private static func fold(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    withFolded(context, argument) { FunctionRegistration.set(text: $0, on: context) }
  }

  private static func ask(_ context: OpaquePointer?, _ argument: OpaquePointer?, _ index: OpaquePointer?) {
    guard case .text(let index) = FunctionRegistration.value(index) else { return }
    let frequency = TrigramFrequency(connection: sqlite3_context_db_handle(context), index: index)
    withFolded(context, argument) { folded in
      guard let parts = TrigramQuery.parts(of: String(decoding: folded, as: UTF8.self)) else {
        return sqlite3_result_error(context, "the text has fewer than three scalars: too short to look up", -1)
      }
      FunctionRegistration.set(.text(TrigramQuery.text(of: frequency.rarest(of: parts))), on: context)
    }
  }
}
