import Foundation
package import Relational

/// The SQL of SQLite.
package struct SQLiteDialect: SQLDialect {
  /// Whether every value is a parameter, so that a statement observer sees the values separately.
  let bindsValues: Bool

  package init() {
    self.init(bindsValues: false)
  }

  init(bindsValues: Bool) {
    self.bindsValues = bindsValues
  }

  package func placeholder(at position: Int) -> String { "?" }

  /// A column of any type can hold blobs, which sort after all texts.
  package var endOfTexts: Value? { .blob(Data()) }

  package var alwaysFalse: String { "0" }

  package var scanHint: String { " NOT INDEXED" }

  package func sameOperator(isNegated: Bool) -> String { isNegated ? "IS NOT" : "IS" }

  package func typeName(_ column: TableDefinition.Column) -> String {
    switch column.type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }

  /// A table with a composite primary key needs no row identifiers.
  package func tableOptions(_ table: TableDefinition) -> String {
    table.compositePrimaryKey.isEmpty ? "" : " WITHOUT ROWID"
  }

  package func name(of function: Relational.Expression.Function) -> String {
    switch function {
    case .coalesce: "coalesce"
    case .nullIf: "nullif"
    case .position: "instr"
    case .byteCount: "length"
    case .custom(let name): name
    }
  }

  package func writeConflict(
    _ conflict: Insert.Conflict, in table: String, to writer: inout SQLWriter<SQLiteDialect>
  ) {
    let column = quoted(conflict.column)
    writer.write(" ON CONFLICT (")
    writer.write(conflict.key) { $0.write(identifier: $1) }
    writer.write(") DO UPDATE SET \(column) = ")
    switch conflict.resolution {
    case .takeNew: writer.write("excluded.\(column)")
    case .takeLarger: writer.write("max(\(column), excluded.\(column))")
    }
  }

  package func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter<SQLiteDialect>) {
    let offset = offset.flatMap { $0 > 0 ? $0 : nil }
    if let limit {
      writer.write(" LIMIT ")
      writer.bind(.integer(Int64(limit)))
    } else if offset != nil {
      writer.write(" LIMIT -1")
    }
    if let offset {
      writer.write(" OFFSET ")
      writer.bind(.integer(Int64(offset)))
    }
  }

  package func literal(_ value: Value, in column: TableDefinition.Column) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): literal(real)
    case .text(let text): literal(text)
    case .blob(let data): "X'\(hexadecimal(data))'"
    }
  }

  private func literal(_ real: Double) -> String {
    if real.isNaN { return "NULL" }
    if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
    return "\(real)"
  }

  package func literal(_ text: String) -> String {
    // The text of a statement ends at its first zero byte, so a text with a zero byte is written as its bytes.
    guard !text.utf8.contains(0) else { return "(CAST(X'\(hexadecimal(text.utf8))' AS TEXT))" }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
