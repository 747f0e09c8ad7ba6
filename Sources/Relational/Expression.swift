/// An SQL expression, before any dialect.
package indirect enum Expression: Hashable, Sendable {
  package enum Unary: Hashable, Sendable {
    case not, negate
  }

  package enum Binary: Hashable, Sendable {
    case and, or
    /// Equality under which null equals null and the answer is never null.
    case isSame, isNotSame
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case add, subtract, multiply, divide, remainder
  }

  /// A function of single values.
  package enum Function: Hashable, Sendable {
    /// The first argument that is not null.
    case coalesce
    /// Null where both arguments are equal, and the first of them elsewhere.
    case nullIf
    /// The position of the second text in the first, from 1 on; 0 if it is not there. The unit (bytes or characters) is
    /// the database's.
    case position
    /// The number of bytes of a blob.
    case byteCount
    /// One that the driver was given, by its name.
    case custom(String)
  }

  /// A function of the values of a group.
  package enum Aggregate: Hashable, Sendable {
    case count, minimum, maximum
    /// One that the driver was given, by its name.
    case custom(String)
  }

  /// Operations that each database spells in its own way.
  package indirect enum Idiom: Hashable, Sendable {
    /// A condition that counts as false where it is null.
    case isTrue(Expression)
    /// A condition as the value that a column of truth values has.
    case truth(Expression)
    /// A truth value as a condition.
    case holds(Expression)
    /// Whether a column of reals has what stands for NaN, or anything else. Neither is ever null.
    case isNaN(Expression)
    case isNotNaN(Expression)
    /// Whether a column of blobs has, in place of a value, the name of the file that has it.
    case isFileName(Expression)
    /// The value that a JSON object has by a name.
    case jsonMember(Expression, String)
    /// A text in a JSON object, of which `value` may be only the beginning.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - key: The text's name there.
    case jsonText(value: Expression, json: Expression, key: Expression)
    /// Whether an index for searches finds a text in the row of a key. It may also find rows that do not have it, and
    /// it finds all that have it when folded.
    ///
    /// - Parameter text: A text of at least `TableDefinition.Search.shortestPart` scalars, once it is folded.
    case isFound(text: Expression, search: TableDefinition.Search, key: Expression)
  }

  /// A column. Without the name of a table, it is one of the statement's only table.
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
  /// Whether `text` matches `pattern`, where `*` and `?` of the pattern have no meaning: a plain prefix.
  case hasPrefix(Expression, Value)
  case prepared(PreparedExpression)

  /// A column of the only table of a statement.
  package static func column(_ name: String) -> Expression {
    .column(table: "", name: name)
  }
}

/// A select statement, before any dialect.
package struct Select: Hashable, Sendable {
  package struct Source: Hashable, Sendable {
    package var table: String
    package var alias: String
    /// Whether all rows are to be visited in the order of the table, because most of them are wanted.
    package var isScanned = false
    /// A JSON array or object whose elements are the rows, with the columns of `Element`. The table has no meaning.
    package var elements: Expression?

    /// The names of the columns that the elements of JSON have in every dialect. Texts and names are whole there.
    package enum Element {
      /// The index from zero on, or the name.
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

  /// The rows of another table that go with each row, which counts only if there are some.
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

  /// The rows of one table, whose columns need no name of a table.
  package init(columns: [String], from table: String, condition: Expression? = nil) {
    self.init(columns: columns.map { .column($0) }, from: .init(table: table, alias: table), condition: condition)
  }

  /// One row of expressions that need no table.
  package init(row: [Expression]) {
    self.init(columns: row, from: .init(table: "", alias: ""))
  }
}
