import Relational
import SystemSQLite

/// Makes the keys of Swift's orders of text known to the SQL of one connection.
enum SortKeyRegistration {
  private final class Box {
    let function: SortKeyFunction

    init(_ function: SortKeyFunction) {
      self.function = function
    }
  }

  static func register(_ function: SortKeyFunction, on connection: OpaquePointer?) throws {
    // As other functions: `FunctionRegistration`. Indexes only take those that depend on nothing but their arguments.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, function.name, 1, flags, Unmanaged.passRetained(Box(function)).toOpaque(),
      { context, _, arguments in SortKeyRegistration.call(context, arguments?[0]) }, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Answers null for null, and takes all else that somebody may have written for the text that SQLite makes of it.
  private static func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let data = sqlite3_user_data(context), sqlite3_value_type(argument) != SQLITE_NULL else { return }
    guard let start = sqlite3_value_text(argument) else { return sqlite3_result_error_nomem(context) }
    let function = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function
    // SQLite lends the bytes for the call, and copies the key. One that is longer than it takes is an error to it.
    let text = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
    do throws(SortKeyFunction.Failure) {
      try function.write(text) { key in
        sqlite3_result_blob64(context, key.baseAddress, UInt64(key.count), SQLiteDestructor.transient)
      }
    } catch {
      switch error {
      case .tooLong: sqlite3_result_error_toobig(context)
      case .noMemory: sqlite3_result_error_nomem(context)
      }
    }
  }
}
