import Foundation
import Relational
import SystemSQLite

/// Makes Swift functions callable from the SQL of one connection.
enum FunctionRegistration {
  /// What SQLite has from `register` on until the connection closes, and hands to each call.
  private final class Box {
    let function: ScalarFunction

    init(_ function: ScalarFunction) {
      self.function = function
    }
  }

  static func register(_ function: ScalarFunction, on connection: OpaquePointer?) throws {
    // It depends on its arguments and changes nothing, so that whoever wrote the file may have it called.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, function.name, Int32(clamping: function.argumentCount), flags,
      Unmanaged.passRetained(Box(function)).toOpaque(), { FunctionRegistration.call($0, $1, $2) }, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function
    // SQLite lends as many arguments as it counts, and their bytes, for the call.
    let values = UnsafeBufferPointer(start: arguments, count: Int(count)).map(value)
    do {
      set(try function.evaluate(values), on: context)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  static func value(_ argument: OpaquePointer?) -> Value {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: .real(sqlite3_value_double(argument))
    case SQLITE_TEXT: .text(text(argument))
    case SQLITE_BLOB: .blob(blob(argument))
    default: .null
    }
  }

  private static func text(_ argument: OpaquePointer?) -> String {
    guard let start = sqlite3_value_text(argument) else { return "" }
    let count = Int(sqlite3_value_bytes(argument))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private static func blob(_ argument: OpaquePointer?) -> Data {
    guard let start = sqlite3_value_blob(argument) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_value_bytes(argument)))
  }

  static func set(_ value: Value, on context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
      text.withUTF8 { bytes in
        // `UInt8` and `CChar` are of one layout, and SQLite copies what it is handed.
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(
            context, $0.baseAddress, UInt64($0.count), SQLiteDestructor.transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress, !bytes.isEmpty {
          sqlite3_result_blob64(context, start, UInt64(bytes.count), SQLiteDestructor.transient)
        } else {
          sqlite3_result_zeroblob(context, 0)
        }
      }
    }
  }
}
