/// A dialect that speaks standard SQL and spells out only where it departs from it.
///
/// What a conforming type leaves alone is written as SQLite and PostgreSQL both understand it: identifiers in double
/// quotes, every value a parameter. `SQLWriter` walks expressions and statements and asks the dialect for the rest.
package protocol SQLDialect: Dialect {
  /// What stands for the parameter that is bound at `position`, counted from 1.
  func placeholder(at position: Int) -> String

  /// What comes after all texts in a column of texts that may have other values as well; nil where it has none.
  var endOfTexts: Value? { get }

  /// A name of a table, column or function in quotes.
  func quoted(_ identifier: String) -> String

  /// A condition that no row meets.
  var alwaysFalse: String { get }

  /// The name of a function that the driver was not given.
  func name(of function: Expression.Function) -> String

  /// Writes an idiom, which others may take for something that binds as tightly as `Idiom.precedence` says.
  func write(_ idiom: Expression.Idiom, to writer: inout SQLWriter<Self>)

  /// Writes what has the elements of a JSON value as its rows, with the columns of `Select.Source.Element`.
  func writeElements(of json: Expression, as alias: String, to writer: inout SQLWriter<Self>)

  /// Writes the part of an insertion that says what becomes of a row that is there, with a leading space.
  func writeConflict(_ conflict: Insert.Conflict, to writer: inout SQLWriter<Self>)

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
  package var searches: (any SearchDialect)? { nil }

  package var endOfTexts: Value? { nil }

  package var alwaysFalse: String { "FALSE" }

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

  package func render(_ insert: Insert) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(insert)
    return writer.statement
  }

  package func render(_ update: Update) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(update)
    return writer.statement
  }

  package func render(_ delete: Delete) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(delete)
    return writer.statement
  }

  package func render(_ expression: Expression) -> RenderedStatement {
    var writer = SQLWriter(dialect: self)
    writer.write(expression)
    return writer.statement
  }

  package func isSmall(_ statement: RenderedStatement) -> Bool { false }

  package func prepare(_ expression: Expression) -> PreparedExpression {
    var writer = SQLWriter(dialect: self)
    writer.write(expression)
    return writer.prepared
  }
}
