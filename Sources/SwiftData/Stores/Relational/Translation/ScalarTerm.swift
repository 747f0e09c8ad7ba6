import Foundation
import Relational

/// A single value of a row.
struct ScalarTerm {
  /// A row with the value, found by its key.
  final class Lookup {
    let table: String
    let alias: String
    let key: ScalarTerm

    init(table: String, alias: String, key: ScalarTerm) {
      self.table = table
      self.alias = alias
      self.key = key
    }

    func select(_ columns: [SQLExpression], _ condition: SQLExpression) -> SQLExpression {
      .scalar(Select(columns: columns, from: .init(table: table, alias: alias), condition: condition))
    }

    var primaryKey: SQLExpression { .column(table: alias, name: LayoutNames.primaryKey) }
  }

  /// The value as a column of its own row.
  let column: SQLExpression
  let kind: ScalarKind
  /// Whether the value is an optional in Swift.
  var isOptional: Bool
  /// Whether the value can be null in SQL, also for other reasons than nil.
  var mayBeNull: Bool
  private let lookup: Lookup?
  /// The search index of the column.
  private let search: TableDefinition.Search?

  init(
    _ column: SQLExpression, _ kind: ScalarKind, isOptional: Bool, mayBeNull: Bool = false, lookup: Lookup? = nil,
    search: TableDefinition.Search? = nil
  ) {
    self.column = column
    self.kind = kind
    self.isOptional = isOptional
    self.mayBeNull = isOptional || mayBeNull || lookup?.key.mayBeNull == true
    self.lookup = lookup
    self.search = search
  }

  /// The value, read from the other row if necessary.
  var expression: SQLExpression {
    guard let lookup else { return column }
    return lookup.select([column], .binary(.equal, lookup.primaryKey, lookup.key.expression))
  }

  /// Whether the value meets a condition that null does not meet.
  ///
  /// The condition on a value of another row is tested among all rows of that table, and not for each row: this can use the
  /// indexes of both tables.
  func test(_ condition: (SQLExpression) -> SQLExpression) -> SQLTest {
    SQLTest(tested(condition), mayBeNull: mayBeNull)
  }

  private func tested(_ condition: (SQLExpression) -> SQLExpression) -> SQLExpression {
    guard let lookup else { return condition(column) }
    let rows = Select(
      columns: [lookup.primaryKey], from: .init(table: lookup.table, alias: lookup.alias),
      condition: condition(column))
    return lookup.key.tested { .isInSelect($0, rows) }
  }

  /// The rows that may contain a text according to an index; nil without an index, or if the text is too short for it.
  func candidates(for text: String) -> SQLExpression? {
    guard let search, case .column(let table, _) = column, TableDefinition.Search.canFind(text) else { return nil }
    let key = SQLExpression.column(table: table, name: LayoutNames.primaryKey)
    return .idiom(.isFound(text: .value(.text(text)), search: search, key: key))
  }

  /// The value, if it is not nil.
  var unwrapped: ScalarTerm {
    var unwrapped = self
    unwrapped.isOptional = false
    return unwrapped
  }

  /// Nil if the value is not optional.
  var presence: Presence? {
    isOptional ? Presence(notNull: expression) : nil
  }

  var isTrue: SQLTest {
    get throws {
      guard kind == .bool else { throw Untranslatable("\(kind) is no Bool") }
      switch expression {
      case .column, .scalar: return test { .binary(.equal, $0, .value(ColumnEncoding.value(of: true))) }
      case .idiom(.truth(let condition)): return SQLTest(condition, mayBeNull: mayBeNull)
      default: return SQLTest(.idiom(.holds(expression)), mayBeNull: mayBeNull)
      }
    }
  }

  var isFalse: SQLTest {
    get throws {
      guard kind == .bool else { throw Untranslatable("\(kind) is no Bool") }
      return test { .binary(.equal, $0, .value(ColumnEncoding.value(of: false))) }
    }
  }

  /// The value, without null in place of NaN as in results of arithmetic.
  var withNaN: ScalarTerm {
    guard kind == .real, !isOptional, mayBeNull else { return self }
    switch expression {
    case .binary, .unary, .conditional:
      return ScalarTerm(
        .function(.coalesce, [expression, .value(ColumnEncoding.notANumber)]), kind, isOptional: false)
    default:
      return self
    }
  }

  /// A value computed from this one.
  func mapped(
    _ kind: ScalarKind? = nil, mayBeNull: Bool? = nil, _ transform: (SQLExpression) -> SQLExpression
  ) -> ScalarTerm {
    ScalarTerm(
      transform(column), kind ?? self.kind, isOptional: isOptional, mayBeNull: mayBeNull ?? self.mayBeNull,
      lookup: lookup)
  }
}
