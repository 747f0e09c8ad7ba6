/// A dialect that speaks standard SQL and spells out only where it departs from it.
///
/// What a conforming type leaves alone is written as SQLite and PostgreSQL both understand it: identifiers in double
/// quotes, every value a parameter. `SQLWriter` walks expressions and statements and asks the dialect for the rest.
package protocol SQLDialect: Dialect {
  /// What stands for the parameter that is bound at `position`, counted from 1.
  func placeholder(at position: Int) -> String

  /// A condition that no row meets.
  var alwaysFalse: String { get }

  /// The function whose rows are the elements of a JSON value.
  var elementsFunction: String { get }

  /// What follows a table whose rows are all to be visited in its own order; empty where the database sees to that.
  var scanHint: String { get }

  /// The operator for equality under which null equals null, or for its opposite.
  func sameOperator(isNegated: Bool) -> String

  /// The name of a type in a column definition.
  func typeName(_ type: TableDefinition.Column.ColumnType) -> String

  /// A value as text inside a statement, for the places that take no parameter.
  func literal(_ value: Value) -> String

  /// What follows the parentheses of a table definition.
  func tableOptions(_ table: TableDefinition) -> String

  /// Writes whether `expression` is one of `values`, which are neither empty nor null.
  func writeMembership(of expression: Expression, in values: [Value], to writer: inout SQLWriter<Self>)

  /// Writes the part of a statement that limits its rows, with a leading space, if there is one.
  func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter<Self>)
}

extension SQLDialect {
  package func placeholder(at position: Int) -> String { "?" }

  package var alwaysFalse: String { "FALSE" }

  package var elementsFunction: String { "json_each" }

  package var scanHint: String { "" }

  package func sameOperator(isNegated: Bool) -> String {
    isNegated ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM"
  }

  package func tableOptions(_ table: TableDefinition) -> String { "" }

  package func writeMembership(of expression: Expression, in values: [Value], to writer: inout SQLWriter<Self>) {
    writer.writePlainMembership(of: expression, in: values)
  }

  package func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter<Self>) {
    if let limit {
      writer.write(" LIMIT ")
      writer.bind(.integer(Int64(limit)))
    }
    if let offset, offset > 0 {
      writer.write(" OFFSET ")
      writer.bind(.integer(Int64(offset)))
    }
  }

  package func quoted(_ identifier: String) -> String {
    guard identifier.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(identifier)\"" }
    return "\"" + identifier.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  package func render(_ select: Select) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(select)
    return writer.statement
  }

  package func render(_ expression: Expression) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(expression)
    return writer.statement
  }

  package func prepare(_ expression: Expression) -> PreparedExpression {
    var writer = SQLWriter(dialect: self)
    writer.write(expression)
    return writer.prepared
  }
}
