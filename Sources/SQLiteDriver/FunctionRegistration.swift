import Foundation
import Relational
import SystemSQLite

/// Registers functions written in Swift with one connection.
enum FunctionRegistration {
  /// The user data of the SQL function, from `register` until the connection closes.
  private final class Box {
    let function: ScalarFunction

    init(_ function: ScalarFunction) {
      self.function = function
    }
  }

  /// The auxiliary data that SQLite keeps for a pattern while the pattern is the same.
  private final class Test {
    let passes: (UnsafeRawBufferPointer) -> Bool

    init(_ passes: @escaping (UnsafeRawBufferPointer) -> Bool) {
      self.passes = passes
    }
  }

  private typealias Call =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  static func register(_ function: ScalarFunction, on connection: OpaquePointer?) throws {
    // The function depends only on its arguments and has no side effects, so a view or trigger of an untrusted file may call
    // it.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    var call: Call = { FunctionRegistration.call($0, $1, $2) }
    if function.makeTest != nil { call = { context, _, arguments in FunctionRegistration.test(context, arguments) } }
    let code = sqlite3_create_function_v2(
      connection, function.name, Int32(clamping: function.argumentCount), flags,
      Unmanaged.passRetained(Box(function)).toOpaque(), call, nil, nil,
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function
    // SQLite lends the arguments and their bytes for the call.
    let values = UnsafeBufferPointer(start: arguments, count: Int(count)).map(value)
    do {
      set(try function.evaluate(values), on: context)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  /// Tests a text with a pattern. SQLite lends the bytes of the text for the call.
  private static func test(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let (text, pattern) = arguments.map({ ($0[0], $0[1]) }), sqlite3_value_type(text) == SQLITE_TEXT,
      sqlite3_value_type(pattern) == SQLITE_TEXT
    else { return sqlite3_result_null(context) }
    let test: Test
    if let known = sqlite3_get_auxdata(context, 1) {
      test = Unmanaged<Test>.fromOpaque(known).takeUnretainedValue()
    } else {
      guard
        let makeTest = sqlite3_user_data(context).flatMap({ Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() })?
          .function.makeTest
      else { return }
      test = Test(makeTest(Self.text(pattern)))
      // SQLite may release the test at once.
      sqlite3_set_auxdata(
        context, 1, Unmanaged.passRetained(test).toOpaque(), { $0.map { Unmanaged<Test>.fromOpaque($0).release() } })
    }
    guard let start = sqlite3_value_text(text) else { return sqlite3_result_error_nomem(context) }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(text)))
    sqlite3_result_int(context, test.passes(bytes) ? 1 : 0)
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
      text.withUTF8 { set(text: UnsafeRawBufferPointer($0), on: context) }
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

  /// - Parameter text: In UTF-8. SQLite copies it.
  static func set(text: UnsafeRawBufferPointer, on context: OpaquePointer?) {
    // With a null pointer, SQLite would set null instead of an empty text.
    guard let start = text.baseAddress else {
      return sqlite3_result_text(context, "", 0, SQLiteDestructor.transient)
    }
    sqlite3_result_text64(
      context, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), SQLiteDestructor.transient,
      UInt8(SQLITE_UTF8))
  }
}
