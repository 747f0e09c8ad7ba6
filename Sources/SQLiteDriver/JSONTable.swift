import Relational
import SystemSQLite

/// A table whose rows are the elements of a JSON array or object: `swiftdata_elements(json)`.
///
/// SQLite's own `json_each` ends texts and names at a zero byte. This one has them whole, and reads the JSON once for
/// all of them.
enum JSONTable {
  static let name = "swiftdata_elements"

  private enum Column {
    static let key: Int32 = 0
    static let value: Int32 = 1
    static let json: Int32 = 2
  }

  /// What a cursor has: the JSON, and where it is in that.
  private final class State {
    var json: OpaquePointer?
    var walk: JSONWalk?

    deinit {
      sqlite3_value_free(json)
    }
  }

  static func register(on connection: OpaquePointer?) throws {
    let code = sqlite3_create_module_v2(connection, name, module, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Never freed, because connections have its address. Nobody writes to it.
  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { connection, _, _, _, table, _ in
      let columns = "\(Select.Source.Element.key), \(Select.Source.Element.value), json HIDDEN"
      let code = sqlite3_declare_vtab(connection, "CREATE TABLE elements(\(columns))")
      guard code == SQLITE_OK else { return code }
      guard let created = sqlite3_malloc(Int32(MemoryLayout<sqlite3_vtab>.size)) else { return SQLITE_NOMEM }
      table?.pointee = created.initializeMemory(as: sqlite3_vtab.self, to: sqlite3_vtab())
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      sqlite3_free(table)
      return SQLITE_OK
    }
    module.xBestIndex = { _, plan in JSONTable.plan(plan) }
    module.xOpen = { _, cursor in
      guard let opened = sqlite3_malloc(Int32(MemoryLayout<sqlite3_object_cursor>.size)) else { return SQLITE_NOMEM }
      let object = opened.initializeMemory(as: sqlite3_object_cursor.self, to: sqlite3_object_cursor())
      // Retained until `xClose`.
      object.pointee.state = Unmanaged.passRetained(State()).toOpaque()
      cursor?.pointee = UnsafeMutableRawPointer(object).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      if let state = JSONTable.pointer(cursor) { Unmanaged<State>.fromOpaque(state).release() }
      sqlite3_free(cursor)
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, count, arguments in
      guard let cursor, let state = JSONTable.state(cursor) else { return SQLITE_MISUSE }
      return JSONTable.begin(state, cursor, with: count > 0 ? arguments?.pointee : nil)
    }
    module.xNext = { cursor in
      JSONTable.state(cursor)?.walk?.advance()
      return SQLITE_OK
    }
    module.xEof = { cursor in JSONTable.state(cursor)?.walk?.value == nil ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      guard let walk = JSONTable.state(cursor)?.walk else { return SQLITE_OK }
      switch column {
      case Column.value: JSONTable.set(walk.content, on: context)
      case Column.key:
        if let name = walk.name {
          JSONTable.set(walk.text(in: name), on: context)
        } else {
          sqlite3_result_int64(context, Int64(walk.index))
        }
      default: break
      }
      return SQLITE_OK
    }
    module.xRowid = { cursor, row in
      row?.pointee = Int64(JSONTable.state(cursor)?.walk?.index ?? 0)
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()

  /// SQLite hands back the cursors that `xOpen` made.
  private static func pointer(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: sqlite3_object_cursor.self).pointee.state
  }

  private static func state(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> State? {
    pointer(cursor).map { Unmanaged<State>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The JSON is handed over as the one argument, or there is no plan.
  private static func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let plan else { return SQLITE_MISUSE }
    for index in 0..<Int(plan.pointee.nConstraint) {
      let constraint = plan.pointee.aConstraint[index]
      guard constraint.iColumn == Column.json, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      plan.pointee.aConstraintUsage[index].argvIndex = 1
      plan.pointee.aConstraintUsage[index].omit = 1
      plan.pointee.estimatedCost = 1
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }

  /// Null has no elements. Whatever else is no array or object is an error.
  private static func begin(
    _ state: State, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, with argument: OpaquePointer?
  ) -> Int32 {
    state.walk = nil
    sqlite3_value_free(state.json)
    state.json = nil
    switch sqlite3_value_type(argument) {
    case SQLITE_NULL: return SQLITE_OK
    case SQLITE_TEXT: break
    default: return fail(cursor)
    }
    // The argument is lent for this call only.
    guard let json = sqlite3_value_dup(argument) else { return SQLITE_NOMEM }
    state.json = json
    guard let start = sqlite3_value_text(json) else { return SQLITE_NOMEM }
    state.walk = JSONWalk(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(json))))
    return state.walk == nil ? fail(cursor) : SQLITE_OK
  }

  private static func fail(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> Int32 {
    let message = "malformed JSON".utf8CString
    // SQLite frees the message.
    if let table = cursor.pointee.pVtab, let copy = sqlite3_malloc(Int32(message.count)) {
      message.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
      sqlite3_free(table.pointee.zErrMsg)
      table.pointee.zErrMsg = copy.assumingMemoryBound(to: CChar.self)
    }
    return SQLITE_ERROR
  }

  private static func set(_ content: JSONWalk.Content, on context: OpaquePointer?) {
    switch content {
    case .null: sqlite3_result_null(context)
    case .truth(let truth): sqlite3_result_int(context, truth ? 1 : 0)
    case .number(let number):
      if let integer = Int64(number) {
        sqlite3_result_int64(context, integer)
      } else {
        sqlite3_result_double(context, Double(number) ?? .nan)
      }
    case .bytes(let bytes):
      UnsafeBufferPointer(rebasing: bytes).withMemoryRebound(to: CChar.self) {
        sqlite3_result_text64(
          context, $0.baseAddress, UInt64($0.count), SQLiteDestructor.transient, UInt8(SQLITE_UTF8))
      }
    case .text(let text): FunctionRegistration.set(.text(text), on: context)
    }
  }
}
