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
    case concatenate
  }

  case column(table: String, name: String)
  case value(Value)
  case unary(Unary, Expression)
  case binary(Binary, Expression, Expression)
  case isNull(Expression)
  case isNotNull(Expression)
  case function(String, [Expression])
  case aggregate(String, Expression?, distinct: Bool)
  case isIn(Expression, [Value])
  case isInSelect(Expression, Select)
  case exists(Select)
  case scalar(Select)
  case conditional(condition: Expression, then: Expression, otherwise: Expression)
  case cast(Expression, String)
  case collate(Expression, String)
  /// Whether `text` matches `pattern`, where `*` and `?` of the pattern have no meaning: a plain prefix.
  case hasPrefix(Expression, Value)
  case prepared(PreparedExpression)
}

/// A select statement, before any dialect.
package struct Select: Hashable, Sendable {
  package struct Source: Hashable, Sendable {
    package var table: String
    package var alias: String
    /// Whether all rows are to be visited in the order of the table, because most of them are wanted.
    package var isScanned = false
    /// A JSON array or object whose elements are the rows, with the columns `key` and `value`. The table has no meaning.
    package var elements: Expression?

    package init(table: String, alias: String) {
      self.table = table
      self.alias = alias
    }

    package init(elements: Expression, alias: String) {
      self.init(table: "", alias: alias)
      self.elements = elements
    }
  }

  package struct Join: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case inner, left
    }

    package var kind: Kind
    package var source: Source
    package var on: Expression

    package init(kind: Kind, source: Source, on: Expression) {
      self.kind = kind
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
  package var isDistinct = false
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
}
