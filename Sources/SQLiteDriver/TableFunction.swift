import Relational
import SystemSQLite

/// A table whose rows are computed from one value: `SELECT … FROM name(value)`.
final class TableFunction: Sendable {
  let name: String
  /// The names of the columns, without the hidden column of the value, which is the last.
  private let columns: [String]
  /// The number of rows that the query planner expects.
  private let expectedRows: Int64
  /// The planner's cost of reading all rows once, in rows.
  private let cost: Double
  private let makeCursor: @Sendable () -> TableCursor

  /// - Parameter cost: Nil for the number of expected rows.
  init(
    name: String, columns: [String], expectedRows: Int64, cost: Double? = nil,
    makeCursor: @escaping @Sendable () -> TableCursor
  ) {
    self.name = name
    self.columns = columns
    self.expectedRows = expectedRows
    self.cost = cost ?? Double(expectedRows)
    self.makeCursor = makeCursor
  }

  func register(on connection: OpaquePointer?) throws {
    let code = sqlite3_create_module_v2(
      connection, name, Self.module, Unmanaged.passRetained(self).toOpaque(),
      { $0.map { Unmanaged<TableFunction>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  /// Never freed, because connections keep its address, and never written to.
  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { connection, function, _, _, table, _ in
      TableFunction.connect(connection, function, table)
    }
    module.xDisconnect = { table in
      sqlite3_free(table)
      return SQLITE_OK
    }
    module.xBestIndex = { table, plan in
      guard let table, let plan else { return SQLITE_MISUSE }
      return TableFunction.function(of: table)?.plan(&plan.pointee) ?? SQLITE_MISUSE
    }
    module.xOpen = { table, cursor in
      guard let table, let function = TableFunction.function(of: table) else { return SQLITE_MISUSE }
      guard let opened = sqlite3_malloc(Int32(MemoryLayout<sqlite3_object_cursor>.size)) else { return SQLITE_NOMEM }
      let object = opened.initializeMemory(as: sqlite3_object_cursor.self, to: sqlite3_object_cursor())
      // Retained until `xClose`.
      object.pointee.object = Unmanaged.passRetained(function.makeCursor()).toOpaque()
      cursor?.pointee = UnsafeMutableRawPointer(object).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      if let cursor { TableFunction.reference(of: cursor)?.release() }
      sqlite3_free(cursor)
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, count, arguments in
      guard let cursor else { return SQLITE_MISUSE }
      return TableFunction.begin(cursor, with: count > 0 ? arguments?.pointee : nil)
    }
    module.xNext = { cursor in
      TableFunction.withRows(of: cursor) {
        $0.row += 1
        $0.advance()
        return SQLITE_OK
      }
    }
    module.xEof = { cursor in
      TableFunction.withRows(of: cursor) { $0.isAtEnd ? 1 : 0 }
    }
    module.xColumn = { cursor, context, column in
      TableFunction.withRows(of: cursor) {
        $0.read(column, into: context)
        return SQLITE_OK
      }
    }
    module.xRowid = { cursor, row in
      TableFunction.withRows(of: cursor) {
        row?.pointee = $0.row
        return SQLITE_OK
      }
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()

  // MARK: Tables

  private static func connect(
    _ connection: OpaquePointer?, _ function: UnsafeMutableRawPointer?,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    guard let function else { return SQLITE_MISUSE }
    let columns = Unmanaged<TableFunction>.fromOpaque(function)._withUnsafeGuaranteedRef(\.columns)
    let code = sqlite3_declare_vtab(
      connection, "CREATE TABLE rows(\(columns.joined(separator: ", ")), argument HIDDEN)")
    guard code == SQLITE_OK else { return code }
    guard let created = sqlite3_malloc(Int32(MemoryLayout<sqlite3_object_table>.size)) else { return SQLITE_NOMEM }
    let object = created.initializeMemory(as: sqlite3_object_table.self, to: sqlite3_object_table())
    // The module retains it while it has tables.
    object.pointee.object = function
    table?.pointee = UnsafeMutableRawPointer(object).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  /// SQLite passes the tables that `connect` made.
  private static func function(of table: UnsafeMutablePointer<sqlite3_vtab>) -> TableFunction? {
    let object = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_object_table.self).pointee.object
    return object.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Requires the value as the one argument; without it there is no plan.
  private func plan(_ plan: inout sqlite3_index_info) -> Int32 {
    for index in 0..<Int(plan.nConstraint) {
      let constraint = plan.aConstraint[index]
      guard constraint.iColumn == columns.count, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      plan.aConstraintUsage[index].argvIndex = 1
      plan.aConstraintUsage[index].omit = 1
      plan.estimatedCost = cost
      plan.estimatedRows = expectedRows
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }

  // MARK: Cursors

  /// SQLite passes the cursors that `xOpen` made.
  private static func reference(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> Unmanaged<TableCursor>? {
    UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_object_cursor.self).pointee.object
      .map { .fromOpaque($0) }
  }

  @inline(__always)
  private static func withRows(
    of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (TableCursor) -> Int32
  ) -> Int32 {
    cursor.flatMap(reference)?._withUnsafeGuaranteedRef(body) ?? SQLITE_MISUSE
  }

  private static func begin(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, with argument: OpaquePointer?
  ) -> Int32 {
    guard let argument, let rows = reference(of: cursor)?.takeUnretainedValue() else { return SQLITE_MISUSE }
    // The argument is only valid during this call.
    guard let value = sqlite3_value_dup(argument) else { return SQLITE_NOMEM }
    do throws(TableCursor.Failure) {
      rows.take(value)
      try rows.begin()
      return SQLITE_OK
    } catch {
      switch error {
      case .noMemory: return SQLITE_NOMEM
      case .malformed(let message): return fail(cursor, message)
      }
    }
  }

  private static func fail(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, _ message: StaticString) -> Int32 {
    guard let table = cursor.pointee.pVtab, let copy = sqlite3_malloc(Int32(message.utf8CodeUnitCount + 1)) else {
      return SQLITE_NOMEM
    }
    copy.copyMemory(from: message.utf8Start, byteCount: message.utf8CodeUnitCount + 1)
    // SQLite frees the message.
    sqlite3_free(table.pointee.zErrMsg)
    table.pointee.zErrMsg = copy.assumingMemoryBound(to: CChar.self)
    return SQLITE_ERROR
  }
}

/// Iterates over the rows of a `TableFunction` for one value, on one thread at a time.
class TableCursor {
  enum Failure: Error {
    case noMemory
    /// The value has the wrong form.
    case malformed(StaticString)
  }

  /// The value from which the rows are computed, owned by the cursor; nil before the first use.
  private(set) final var value: OpaquePointer?
  /// The index of the current row, from zero.
  fileprivate(set) final var row: Int64 = 0

  deinit {
    sqlite3_value_free(value)
  }

  fileprivate final func take(_ value: OpaquePointer) {
    sqlite3_value_free(self.value)
    self.value = value
    row = 0
  }

  /// Moves to the first row of `value`.
  func begin() throws(Failure) {}

  var isAtEnd: Bool { true }

  /// Moves to the next row.
  func advance() {}

  /// Sets the value of a column of the current row as the result of a function; setting nothing means null.
  func read(_ column: Int32, into context: OpaquePointer?) {}
}
