import Relational
import SystemSQLite

/// Makes what indexes for searches have in place of texts known to the SQL of one connection, and what they are asked.
enum SearchRegistration {
  private final class Box {
    let function: FoldingFunction

    init(_ function: FoldingFunction) {
      self.function = function
    }
  }

  private typealias Call =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// The function from a text that is looked for to what FTS5 is asked.
  static func queryName(_ function: String) -> String { "\(function)_query" }

  static func register(_ function: FoldingFunction, on connection: OpaquePointer?) throws {
    try register(function, as: function.name, on: connection) { SearchRegistration.fold($0, $2?[0]) }
    try register(function, as: queryName(function.name), on: connection) { SearchRegistration.ask($0, $2?[0]) }
  }

  private static func register(
    _ function: FoldingFunction, as name: String, on connection: OpaquePointer?, _ call: Call
  ) throws {
    // As other functions: `FunctionRegistration`. Triggers of a file that is not trusted may call them too.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, name, 1, flags, Unmanaged.passRetained(Box(function)).toOpaque(), call, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Lends what a text folds to; nothing is called for what is no text, in which no search finds anything.
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
    withFolded(context, argument) { FunctionRegistration.set($0, on: context) }
  }

  private static func ask(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    withFolded(context, argument) { folded in
      guard let query = TrigramQuery.text(of: String(decoding: folded, as: UTF8.self)) else {
        return sqlite3_result_error(context, "the text is too short to be looked up", -1)
      }
      FunctionRegistration.set(.text(query), on: context)
    }
  }
}

extension FunctionRegistration {
  /// Sets a text in UTF-8 as the result of a function. SQLite copies it.
  fileprivate static func set(_ text: UnsafeRawBufferPointer, on context: OpaquePointer?) {
    // Without an address SQLite would take an empty text for null.
    guard let start = text.baseAddress else { return set(.text(""), on: context) }
    sqlite3_result_text64(
      context, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), SQLiteDestructor.transient,
      UInt8(SQLITE_UTF8))
  }
}
