import Relational
import SystemSQLite

/// Registers functions for sort keys with one connection.
enum SortKeyRegistration {
  private final class Box {
    let function: SortKeyFunction

    init(_ function: SortKeyFunction) {
      self.function = function
    }
  }

  static func register(_ function: SortKeyFunction, on connection: OpaquePointer?) throws {
    // The same flags as in `FunctionRegistration`. An index can only use a deterministic function.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, function.name, 1, flags, Unmanaged.passRetained(Box(function)).toOpaque(),
      { context, _, arguments in SortKeyRegistration.call(context, arguments?[0]) }, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Returns null for null, and converts other values to text as SQLite does.
  private static func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let data = sqlite3_user_data(context), sqlite3_value_type(argument) != SQLITE_NULL else { return }
    guard let start = sqlite3_value_text(argument) else { return sqlite3_result_error_nomem(context) }
    let function = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function
    // SQLite lends the bytes for the call, and copies the key. A key over SQLite's length limit is an error.
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
