import Foundation
package import Relational

/// The SQL of PostgreSQL.
///
/// A column has the database's own type for its values: see `ColumnForm`. A parameter gets its type from its place in the
/// statement, and the driver converts the value. Texts are compared by their bytes, because columns have the collation "C".
package struct PostgresDialect: SQLDialect {
  package init() {}

  package func placeholder(at position: Int) -> String { "$\(position)" }

  package func typed(_ placeholder: String, for value: Value) -> String {
    switch value {
    case .null: placeholder
    case .integer: "\(placeholder)::bigint"
    case .real: "\(placeholder)::double precision"
    case .text: "\(placeholder)::text"
    case .blob: "\(placeholder)::bytea"
    }
  }

  /// Longer names are shortened, which the server would do as well, but without a warning to the program.
  package func quoted(_ identifier: String) -> String {
    let name = shortened(identifier)
    // Replacing takes long.
    if name.utf8.allSatisfy({ $0 != UInt8(ascii: "\"") && $0 != 0 }) { return "\"" + name + "\"" }
    // A name cannot have a zero byte.
    return "\"" + name.replacing("\"", with: "\"\"").replacing("\0", with: "\u{FFFD}") + "\""
  }

  /// A name as it is in the database.
  package func shortened(_ name: String) -> String {
    ShortName.of(name, longest: Self.longestNameCount)
  }

  /// The longest name in bytes.
  package var longestName: Int? { Self.longestNameCount }
  private static let longestNameCount = 63

  package var definesReferences: Bool { false }

  /// Problems of types and limits are found when a statement runs: an answer in advance would take a round trip.
  package func isSmall(_ statement: RenderedStatement) -> Bool { true }

  package func name(of function: Relational.Expression.Function) -> String {
    switch function {
    case .coalesce: "coalesce"
    case .nullIf: "nullif"
    case .position: "strpos"
    case .byteCount: "octet_length"
    case .custom(let name): name
    }
  }

  package func writeConflict(
    _ conflict: Insert.Conflict, in table: String, to writer: inout SQLWriter<PostgresDialect>
  ) {
    let column = quoted(conflict.column)
    writer.write(" ON CONFLICT (")
    writer.write(conflict.key) { $0.write(identifier: $1) }
    writer.write(") DO UPDATE SET \(column) = ")
    switch conflict.resolution {
    case .takeNew: writer.write("excluded.\(column)")
    case .takeLarger: writer.write("greatest(\(quoted(table)).\(column), excluded.\(column))")
    }
  }

  /// One plan serves every number of values: they are one array.
  package func writeMembership(
    of expression: Relational.Expression, in values: [Value], to writer: inout SQLWriter<PostgresDialect>
  ) {
    writer.write(operand: expression)
    writer.write(" = ANY (")
    writer.bind(.blob(ListBytes.encode(values)))
    writer.write(")")
  }
}
