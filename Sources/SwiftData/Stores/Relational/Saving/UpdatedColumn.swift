import Foundation
import Relational

/// A column that an update of many rows sets.
struct UpdatedColumn {
  /// Checks whether a property can have the result of its expression.
  struct Check {
    let property: String
    fileprivate let reader: CellReader
    fileprivate let allowsNil: Bool

    func accepts(_ row: Statement, _ column: Int32) -> Bool {
      if row.isNull(column) { return allowsNil }
      return (try? reader.read(row, column)) != nil
    }
  }

  let name: String
  /// The new value of the column, as an expression over the row before the update.
  let value: SQLExpression
  /// Nil for a value that is equal in all rows.
  let check: Check?

  /// The value that is equal in all rows.
  var constant: Value? {
    if check == nil, case .value(let value) = value { value } else { nil }
  }

  /// The columns of the property that an assignment sets.
  ///
  /// - Throws: An error if the property cannot be set in this way.
  static func columns(
    for assignment: RowUpdate.Assignment, _ layout: EntityLayout, _ context: TranslationContext
  ) throws -> [UpdatedColumn] {
    let property = layout.properties[assignment.property.index]
    func refusal(_ error: SwiftDataError, _ message: String, _ cause: (any Error)? = nil) -> SwiftDataError {
      error.with(
        entity: layout.entity.name, property: property.name, message: message,
        hint: "Fetch the models, and set the property of each.", underlying: cause)
    }
    guard case .attribute(let coding, let columns, let isExternal) = property.storage else {
      throw refusal(.unsupportedKeyPath, "The property is not stored, so that an update of rows cannot set it.")
    }
    if isExternal {
      throw refusal(.unsupportedKeyPath, "Values of the property may be in external files, one for each row.")
    }
    let unique = layout.uniqueColumns
    switch assignment.source {
    case .value(let value):
      do {
        let values = try ValueCollector.columns(of: value, coding)
        if assignment.property.needsFallbackValue { FallbackValues.record(value) }
        return zip(columns, values).map { name, value in
          guard unique.contains(name), case .text(let text) = value else {
            return UpdatedColumn(name: name, value: .value(value), check: nil)
          }
          return UpdatedColumn(name: name, value: .value(.text(CanonicalText.normalized(text))), check: nil)
        }
      } catch {
        throw refusal(.modelValidationFailure, "The value cannot be encoded.", error)
      }
    case .expression(let operand):
      do {
        let (value, reader) = try translate(operand, coding, layout, context)
        let check = Check(
          property: property.name, reader: reader,
          allowsNil: property.isOptional && operand.valueType is any OptionalValue.Type)
        let isUniqueText = coding.columnType == .text && columns.contains(where: unique.contains)
        let written = isUniqueText ? TextComparison.normalized(value) : value
        return columns.map { UpdatedColumn(name: $0, value: written, check: check) }
      } catch let failure as Untranslatable {
        throw refusal(
          .unsupportedPredicate, "The store cannot evaluate the expression, because \(failure.reason).")
      }
    }
  }

  private static func translate(
    _ operand: AggregateOperand, _ coding: ColumnCoding, _ layout: EntityLayout, _ context: TranslationContext
  ) throws -> (SQLExpression, CellReader) {
    if let body = operand.body, hasUncertainRemainder(body.expression) {
      throw Untranslatable("the remainder of a number that may overflow differs in SQL")
    }
    let term = try AggregateTerm(operand, ModelTerm(layout, source: Projection.alias), context)
    guard case .scalar(let kind) = term.reading, let value = term.value, let type = coding.valueType,
      kind.primitive == type
    else { throw Untranslatable("\(unwrappedType(operand.valueType)) has no column of its own kind") }
    return (value, CellReader(term.reading, width: 1))
  }

  /// Whether the expression takes the remainder of a computed number: after an overflow, SQL would return a wrong remainder
  /// without an error.
  private static func hasUncertainRemainder(_ node: any PredicateExpression, depth: Int = 0) -> Bool {
    guard depth < predicateDepthLimit, let node = node as? any PredicateNode else { return false }
    if node is any RemainderNode, node.operands.contains(where: { $0 is any ArithmeticNode }) { return true }
    return node.operands.contains { hasUncertainRemainder($0, depth: depth + 1) }
  }
}

private protocol RemainderNode {}
extension PredicateExpressions.IntRemainder: RemainderNode {}

private protocol ArithmeticNode {}
extension PredicateExpressions.Arithmetic: ArithmeticNode {}
extension PredicateExpressions.UnaryMinus: ArithmeticNode {}

extension ColumnCoding {
  /// The type of the column's values; nil for encoded values.
  fileprivate var valueType: (any _PrimitiveValue.Type)? {
    switch self {
    case .primitive(let type), .rawRepresentable(let type): type
    case .json, .transformable, .composite: nil
    }
  }
}
