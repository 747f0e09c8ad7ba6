import CSQLite
import _FoundationICU

/// The sort keys of names, made by ICU in the same way as the library's.
enum NameKeys {
  // Never changed after its creation.
  nonisolated(unsafe) private static let collator: OpaquePointer? = {
    var status = U_ZERO_ERROR
    let collator = swift_ucol_open("", &status)
    swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    return collator
  }()

  /// Registers the SQL function `name_key`.
  static func register(on connection: Connection) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection.handle, "name_key", 1, flags, nil,
      { context, _, arguments in NameKeys.call(context, arguments?[0]) }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(connection.handle, doing: "registering name_key") }
  }

  private static func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let text = sqlite3_value_text(argument) else { return }
    let count = Int(sqlite3_value_bytes(argument))
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { units in
      // The names are ASCII.
      for index in 0..<count { units[index] = UInt16(text[index]) }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * count + 64) { key in
        let length = swift_ucol_getSortKey(
          collator, units.baseAddress, Int32(count), key.baseAddress, Int32(key.count))
        sqlite3_result_blob(context, key.baseAddress, length, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    }
  }
}
