/// A dialect that uses standard SQL and implements only its differences.
///
/// The defaults are SQL that both SQLite and PostgreSQL accept: identifiers in double quotes, every value a parameter.
/// `SQLWriter` walks expressions and statements and asks the dialect for the rest.
package protocol SQLDialect: Dialect {
  /// The placeholder of the parameter at `position`, counted from 1.
  func placeholder(at position: Int) -> String

  /// A value that sorts after all texts in a column that may hold texts and other values; nil where there is none.
  var endOfTexts: Value? { get }

  /// A name of a table, column or function in quotes.
  func quoted(_ identifier: String) -> String

  /// A condition that is never true.
  var alwaysFalse: String { get }

  /// The name of a built-in function.
  func name(of function: Expression.Function) -> String

  /// Writes an idiom. The result must bind at least as tightly as `Idiom.precedence` says.
  func write(_ idiom: Expression.Idiom, to writer: inout SQLWriter<Self>)

  /// Writes a table expression whose rows are the elements of a JSON value, with the columns of `Select.Source.Element`.
  func writeElements(of json: Expression, as alias: String, to writer: inout SQLWriter<Self>)

  /// Writes the conflict clause of an insertion, with a leading space.
  func writeConflict(_ conflict: Insert.Conflict, to writer: inout SQLWriter<Self>)

  /// The suffix of a table that makes the database scan it in its own order; empty where that is not needed.
  var scanHint: String { get }

  /// The operator for equality under which null equals null, or its negation.
  func sameOperator(isNegated: Bool) -> String

  /// The name of a type in a column definition.
  func typeName(_ type: TableDefinition.Column.ColumnType) -> String

  /// A value as a literal, where parameters are not allowed.
  func literal(_ value: Value) -> String

  /// The options after the parentheses of a table definition.
  func tableOptions(_ table: TableDefinition) -> String

  /// Writes whether `expression` is one of `values`, which are neither empty nor null.
  func writeMembership(of expression: Expression, in values: [Value], to writer: inout SQLWriter<Self>)

  /// Writes the limit clause of a statement, with a leading space, if there is one.
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
