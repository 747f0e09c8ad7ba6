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

  /// Writes the conflict clause of an insertion into a table, with a leading space.
  func writeConflict(_ conflict: Insert.Conflict, in table: String, to writer: inout SQLWriter<Self>)

  /// Writes a call of a function that is registered with the driver, or the database's own expression for it.
  func write(callOf function: String, _ arguments: [Expression], to writer: inout SQLWriter<Self>)

  /// Writes an aggregate function that is registered with the driver, or the database's own expression for it.
  ///
  /// - Parameter argument: The whole argument, which may begin with DISTINCT.
  func write(aggregate function: String, of argument: (inout SQLWriter<Self>) -> Void, to writer: inout SQLWriter<Self>)

  /// The part of an index for the results of a function for a column.
  func indexed(_ column: String, by function: String) -> String

  /// The placeholder of a value whose type does not follow from its place in the statement.
  func typed(_ placeholder: String, for value: Value) -> String

  /// The suffix of a table that makes the database scan it in its own order; empty where that is not needed.
  var scanHint: String { get }

  /// The operator for equality under which null equals null, or its negation.
  func sameOperator(isNegated: Bool) -> String

  /// The type of a column in its definition.
  func typeName(_ column: TableDefinition.Column) -> String

  /// The words of a column definition after the type that make it the primary key.
  func primaryKeyClause(_ column: TableDefinition.Column) -> String

  /// Whether the definition of a column has its foreign key. Otherwise `Connection.finishTableChanges` adds it.
  var definesReferences: Bool { get }

  /// A value of a column as a literal, where parameters are not allowed.
  func literal(_ value: Value, in column: TableDefinition.Column) -> String

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

  package var definesReferences: Bool { true }

  package func write(callOf function: String, _ arguments: [Expression], to writer: inout SQLWriter<Self>) {
    writer.write(word: function)
    writer.write("(")
    writer.write(arguments) { $0.write($1) }
    writer.write(")")
  }

  package func write(
    aggregate function: String, of argument: (inout SQLWriter<Self>) -> Void, to writer: inout SQLWriter<Self>
  ) {
    writer.write(word: function)
    writer.write("(")
    argument(&writer)
    writer.write(")")
  }

  package func indexed(_ column: String, by function: String) -> String {
    "\(quoted(function))(\(quoted(column)))"
  }

  package func typed(_ placeholder: String, for value: Value) -> String { placeholder }

  package func primaryKeyClause(_ column: TableDefinition.Column) -> String { "PRIMARY KEY" }

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
