import Relational
import SystemSQLite

/// A table whose rows are the values of a list, so that one parameter carries any number of them: `swiftdata_list(?)`
/// with what `ListBytes` makes of the values. SQLite's own `json_each` has no blobs, and no texts with a zero byte.
enum ListTable {
  static let name = "swiftdata_list"
  static let value = "value"

  private enum Column {
    static let value: Int32 = 0
    static let list: Int32 = 1
  }

  static func register(on connection: OpaquePointer?) throws {
    let code = sqlite3_create_module_v2(connection, name, module, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Never freed, because connections have its address. Nobody writes to it.
  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { connection, _, _, _, table, _ in
      let code = sqlite3_declare_vtab(connection, "CREATE TABLE list(\(ListTable.value), list HIDDEN)")
      guard code == SQLITE_OK else { return code }
      guard let created = sqlite3_malloc(Int32(MemoryLayout<sqlite3_vtab>.size)) else { return SQLITE_NOMEM }
      table?.pointee = created.initializeMemory(as: sqlite3_vtab.self, to: sqlite3_vtab())
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      sqlite3_free(table)
      return SQLITE_OK
    }
    module.xBestIndex = { _, plan in ListTable.plan(plan) }
    module.xOpen = { _, cursor in
      guard let opened = sqlite3_malloc(Int32(MemoryLayout<sqlite3_list_cursor>.size)) else { return SQLITE_NOMEM }
      let list = opened.initializeMemory(as: sqlite3_list_cursor.self, to: sqlite3_list_cursor())
      cursor?.pointee = UnsafeMutableRawPointer(list).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      if let cursor { sqlite3_value_free(ListTable.list(cursor).pointee.list) }
      sqlite3_free(cursor)
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, count, arguments in
      guard let cursor else { return SQLITE_MISUSE }
      return ListTable.begin(ListTable.list(cursor), with: count > 0 ? arguments?.pointee : nil)
    }
    module.xNext = { cursor in
      guard let cursor else { return SQLITE_MISUSE }
      ListTable.advance(ListTable.list(cursor))
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let cursor else { return 1 }
      let list = ListTable.list(cursor)
      return list.pointee.offset < list.pointee.count ? 0 : 1
    }
    module.xColumn = { cursor, context, column in
      guard let cursor, column == Column.value else { return SQLITE_OK }
      ListTable.read(ListTable.list(cursor), into: context)
      return SQLITE_OK
    }
    module.xRowid = { cursor, row in
      guard let cursor else { return SQLITE_MISUSE }
      row?.pointee = ListTable.list(cursor).pointee.row
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()

  /// SQLite hands back the cursors that `xOpen` made.
  private static func list(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>
  ) -> UnsafeMutablePointer<sqlite3_list_cursor> {
    UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_list_cursor.self)
  }

  /// The list is handed over as the one argument, or there is no plan.
  private static func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let plan else { return SQLITE_MISUSE }
    for index in 0..<Int(plan.pointee.nConstraint) {
      let constraint = plan.pointee.aConstraint[index]
      guard constraint.iColumn == Column.list, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      plan.pointee.aConstraintUsage[index].argvIndex = 1
      plan.pointee.aConstraintUsage[index].omit = 1
      plan.pointee.estimatedCost = 1000
      plan.pointee.estimatedRows = 1000
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }

  private static func begin(
    _ cursor: UnsafeMutablePointer<sqlite3_list_cursor>, with argument: OpaquePointer?
  ) -> Int32 {
    sqlite3_value_free(cursor.pointee.list)
    cursor.pointee.list = nil
    cursor.pointee.bytes = nil
    cursor.pointee.count = 0
    cursor.pointee.offset = 0
    cursor.pointee.row = 1
    guard sqlite3_value_type(argument) == SQLITE_BLOB else { return SQLITE_OK }
    // The argument is lent for this call only.
    guard let list = sqlite3_value_dup(argument) else { return SQLITE_NOMEM }
    cursor.pointee.list = list
    cursor.pointee.bytes = sqlite3_value_blob(list)
    cursor.pointee.count = cursor.pointee.bytes == nil ? 0 : Int64(sqlite3_value_bytes(list))
    if size(cursor) == nil { cursor.pointee.count = 0 }
    return SQLITE_OK
  }

  /// Goes to the next value. Bytes that are none end the list.
  private static func advance(_ cursor: UnsafeMutablePointer<sqlite3_list_cursor>) {
    cursor.pointee.offset += Int64(size(cursor) ?? 0)
    cursor.pointee.row += 1
    if size(cursor) == nil { cursor.pointee.offset = cursor.pointee.count }
  }

  private static func size(_ cursor: UnsafeMutablePointer<sqlite3_list_cursor>) -> Int? {
    guard let bytes = cursor.pointee.bytes else { return nil }
    let offset = Int(cursor.pointee.offset)
    return ListBytes.size(at: bytes + offset, available: Int(cursor.pointee.count) - offset)
  }

  private static func read(_ cursor: UnsafeMutablePointer<sqlite3_list_cursor>, into context: OpaquePointer?) {
    guard let bytes = cursor.pointee.bytes, let size = size(cursor) else { return }
    let start = bytes + Int(cursor.pointee.offset)
    let content = start + ListBytes.headSize
    let count = UInt64(size - ListBytes.headSize)
    switch start.load(as: UInt8.self) {
    case ListBytes.Kind.integer:
      sqlite3_result_int64(context, (start + 1).loadUnaligned(as: Int64.self))
    case ListBytes.Kind.real:
      sqlite3_result_double(context, (start + 1).loadUnaligned(as: Double.self))
    case ListBytes.Kind.text:
      sqlite3_result_text64(
        context, content.assumingMemoryBound(to: CChar.self), count, SQLiteDestructor.transient, UInt8(SQLITE_UTF8))
    default:
      sqlite3_result_blob64(context, content, count, SQLiteDestructor.transient)
    }
  }
}
