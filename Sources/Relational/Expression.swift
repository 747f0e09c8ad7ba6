/// An SQL expression, independent of the dialect.
package indirect enum Expression: Hashable, Sendable {
  package enum Unary: Hashable, Sendable {
    case not, negate
  }

  package enum Binary: Hashable, Sendable {
    case and, or
    /// Equality under which null equals null, so that the result is never null.
    case isSame, isNotSame
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case add, subtract, multiply, divide, remainder
  }

  /// A function of single values.
  package enum Function: Hashable, Sendable {
    /// The first argument that is not null.
    case coalesce
    /// Null where both arguments are equal, otherwise the first argument.
    case nullIf
    /// The position of the second text in the first, from 1 on; 0 if it is not found. The unit (bytes or characters) depends on
    /// the database.
    case position
    /// The number of bytes of a blob.
    case byteCount
    /// A function that is registered with the driver, by its name.
    case custom(String)
  }

  /// A function of the values of a group.
  package enum Aggregate: Hashable, Sendable {
    case count, minimum, maximum
    /// A function that is registered with the driver, by its name.
    case custom(String)
  }

  /// Operations whose SQL differs between databases.
  package indirect enum Idiom: Hashable, Sendable {
    /// A condition, with null as false.
    case isTrue(Expression)
    /// A condition as the stored form of a truth value.
    case truth(Expression)
    /// A stored truth value as a condition.
    case holds(Expression)
    /// Whether a column of reals has the stored form of NaN. The result is never null.
    case isNaN(Expression)
    case isNotNaN(Expression)
    /// Whether a column of blobs has the name of an external file instead of a value.
    case isFileName(Expression)
    /// The value of a name in a JSON object.
    case jsonMember(Expression, String)
    /// A text in a JSON object; `value` may be truncated.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - key: The name of the text in the object.
    case jsonText(value: Expression, json: Expression, key: Expression)
    /// Whether a search index finds a text in the row with a key. It finds all rows whose folded text contains it, and may find
    /// others.
    ///
    /// - Parameter text: A text that has at least `TableDefinition.Search.shortestPart` scalars when folded.
    case isFound(text: Expression, search: TableDefinition.Search, key: Expression)
  }

  /// A column. Without the name of a table, it is a column of the statement's only table.
  case column(table: String, name: String)
  case value(Value)
  /// A value that is bound when the statement runs.
  case parameter
  case unary(Unary, Expression)
  case binary(Binary, Expression, Expression)
  case isNull(Expression)
  case isNotNull(Expression)
  case function(Function, [Expression])
  case aggregate(Aggregate, Expression?, distinct: Bool)
  case idiom(Idiom)
  case isIn(Expression, [Value])
  case isInSelect(Expression, Select)
  case exists(Select)
  case scalar(Select)
  case conditional(condition: Expression, then: Expression, otherwise: Expression)
  /// Whether `text` begins with `pattern`, in which `*` and `?` have no special meaning.
  case hasPrefix(Expression, Value)
  case prepared(PreparedExpression)

  /// A column of the only table of a statement.
  package static func column(_ name: String) -> Expression {
    .column(table: "", name: name)
  }
}

/// A select statement, independent of the dialect.
package struct Select: Hashable, Sendable {
  package struct Source: Hashable, Sendable {
    package var table: String
    package var alias: String
    /// Whether to read all rows in the order of the table, because most of them are needed.
    package var isScanned = false
    /// A JSON array or object whose elements are the rows, with the columns of `Element`. The table is ignored then.
    package var elements: Expression?

    /// The names of the columns for JSON elements in every dialect. Texts and names may contain zero bytes.
    package enum Element {
      /// The index from zero, or the name.
      package static let key = "key"
      package static let value = "value"
    }

    package init(table: String, alias: String) {
      self.table = table
      self.alias = alias
    }

    package init(elements: Expression, alias: String) {
      self.init(table: "", alias: alias)
      self.elements = elements
    }
  }

  /// Rows of another table that are joined to each row by an inner join.
  package struct Join: Hashable, Sendable {
    package var source: Source
    package var on: Expression

    package init(source: Source, on: Expression) {
      self.source = source
      self.on = on
    }
  }

  package struct Ordering: Hashable, Sendable {
    package enum Nulls: Hashable, Sendable {
      case first, last
    }

    package var expression: Expression
    package var isDescending: Bool
    package var nulls: Nulls?

    package init(_ expression: Expression, isDescending: Bool = false, nulls: Nulls? = nil) {
      self.expression = expression
      self.isDescending = isDescending
      self.nulls = nulls
    }
  }

  package var columns: [Expression]
  package var from: Source
  package var joins: [Join] = []
  package var condition: Expression?
  package var groupBy: [Expression] = []
  package var having: Expression?
  package var orderBy: [Ordering] = []
  package var limit: Int?
  package var offset: Int?

  package init(columns: [Expression], from: Source, condition: Expression? = nil) {
    self.columns = columns
    self.from = from
    self.condition = condition
  }

  /// Selects rows of one table, whose columns need no table name.
  package init(columns: [String], from table: String, condition: Expression? = nil) {
    self.init(columns: columns.map { .column($0) }, from: .init(table: table, alias: table), condition: condition)
  }

  /// Selects one row of expressions without a table.
  package init(row: [Expression]) {
    self.init(columns: row, from: .init(table: "", alias: ""))
  }
}
