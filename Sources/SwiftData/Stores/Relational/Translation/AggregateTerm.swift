import Foundation
import Relational

/// The operand of an aggregate, or the key of a group, in SQL.
struct AggregateTerm {
  enum Reading {
    case scalar(ScalarKind)
    /// The key of a row, after the name of its entity unless there is only one.
    case identifier(store: InternedString, EntityLayout)
  }

  /// Columns that are equal if the values are.
  let columns: [SQLExpression]
  /// The value itself, whose text `columns` normalizes; nil for the key of a row.
  let value: SQLExpression?
  let reading: Reading
  private let scalar: ScalarTerm?
  /// Whether the scalar is the value of a column, so that only nil is null.
  private let isPlain: Bool

  init(_ operand: AggregateOperand, _ model: ModelTerm, _ context: TranslationContext) throws {
    let term = try operand.translate(model, context)
    switch term {
    case .model(let target), .identifier(let target):
      let key = target.key.expression
      if target.layout.root.family.count > 1, let type = target.layout.root.typeColumn {
        columns = [target.column(type, .text, isOptional: true, context).expression, key]
      } else {
        columns = [key]
      }
      value = nil
      reading = .identifier(store: context.store, target.layout)
      scalar = nil
      isPlain = true
    default:
      let scalar = try term.scalar(in: context)
      self.scalar = scalar
      if case .column = scalar.column { isPlain = true } else { isPlain = false }
      guard scalar.kind.primitive != nil else {
        throw Untranslatable("SQL cannot distinguish values of \(scalar.kind)")
      }
      if let part = operand.part {
        let expression = part.expression(of: scalar.expression)
        (value, columns) = (expression, [expression])
        reading = .scalar(ScalarKind(valueType: part.valueType))
      } else {
        let expression = try Self.complete(scalar, isPlain: isPlain)
        (value, columns) = (expression, [Self.distinguished(expression, scalar.kind)])
        reading = .scalar(scalar.kind)
      }
    }
  }

  /// Normalizes text, so that equal texts have the same bytes.
  private static func distinguished(_ expression: SQLExpression, _ kind: ScalarKind) -> SQLExpression {
    kind.isMadeOfText ? TextComparison.normalized(expression) : expression
  }

  /// The value, with NaN where arithmetic in SQL returns null for it.
  private static func complete(_ scalar: ScalarTerm, isPlain: Bool) throws -> SQLExpression {
    guard scalar.kind.isFloatingPoint, !isPlain else { return scalar.expression }
    guard !scalar.isOptional else { throw Untranslatable("SQL cannot distinguish nil from NaN in a computed value") }
    return .function(.coalesce, [scalar.expression, .value(ColumnEncoding.notANumber)])
  }

  /// The operand of a sum or an average.
  func number(in operand: AggregateOperand) throws -> SQLExpression {
    guard let scalar, scalar.kind.rawType == nil, let primitive = scalar.kind.primitive,
      primitive == unwrappedType(operand.valueType)
    else { throw Untranslatable("SQL has no arithmetic for \(operand.valueType)") }
    return try Self.complete(scalar, isPlain: isPlain)
  }

  /// A value that SQL can order.
  func comparable() throws -> (expression: SQLExpression, kind: ScalarKind) {
    guard let scalar, scalar.kind.rawType == nil, let primitive = scalar.kind.primitive,
      primitive is any Comparable.Type
    else { throw Untranslatable("SQL cannot order the values") }
    return (Self.distinguished(try Self.complete(scalar, isPlain: isPlain), scalar.kind), scalar.kind)
  }

  /// The orderings that sort groups by the key; nil if SQL cannot order it.
  var order: [Select.Ordering]? {
    // A type with raw values may define another order.
    if let scalar, scalar.kind.rawType is any Comparable.Type { return nil }
    return columns.map { Select.Ordering($0) }
  }
}

/// Reads a cell of a group.
struct CellReader {
  private let reading: AggregateTerm.Reading
  let width: Int

  init(_ reading: AggregateTerm.Reading, width: Int) {
    self.reading = reading
    self.width = width
  }

  func read(_ statement: Statement, _ column: Int32) throws -> Any? {
    switch reading {
    case .scalar(let kind):
      guard let primitive = kind.primitive else { return nil }
      let value = statement.value(column)
      if value == .null { return nil }
      guard let read = SingleValueReader.read(primitive, from: value) else { throw unreadable("\(kind)") }
      guard let type = kind.rawType as? any RawRepresentable.Type else { return read }
      guard let made = Self.make(type, read) else { throw unreadable("\(kind)") }
      return made
    case .identifier(let store, let layout):
      let key = column + Int32(width) - 1
      if statement.isNull(key) { return nil }
      let name = width > 1 ? statement.text(column) : layout.entity.name
      guard let entity = layout.root.family.first(where: { $0.entity.name == name }) else {
        throw unreadable("model of \(layout.entity.name)")
      }
      let number = statement.integer(key)
      guard RowIdentity.isValid(number) else { throw entity.invalidKey(number) }
      return PersistentIdentifier(store: store, entity: entity.runtime.entityName, key: number)
    }
  }

  private static func make<Raw: RawRepresentable>(_ type: Raw.Type, _ rawValue: Any) -> Raw? {
    (rawValue as? Raw.RawValue).flatMap(Raw.init(rawValue:))
  }

  /// The error does not contain the value, because errors end up in logs.
  private func unreadable(_ type: String) -> SwiftDataError {
    SwiftDataError.modelValidationFailure.with(message: "The store has another value where a \(type) is expected.")
  }
}

extension AggregateOperand {
  fileprivate func translate(_ model: ModelTerm, _ context: TranslationContext) throws -> Term {
    if let keyPath { return try model.end(of: keyPath, context) }
    guard let body else { throw Untranslatable("there is nothing to translate") }
    return try context.translate(body.bound(to: [.model(model)], context))
  }
}

extension GroupCondition {
  /// Translates the condition with terms in place of its aggregates.
  func translate(_ terms: [Term], _ context: TranslationContext) throws -> Condition {
    try context.condition(body.bound(to: terms, context))
  }
}

extension ExpressionBody {
  /// The expression, with its variables bound to terms that are no constants.
  fileprivate func bound(to terms: [Term], _ context: TranslationContext) -> any PredicateExpression {
    for (variable, term) in zip(variables, terms) { context.bind(variable, to: term) }
    return expression
  }
}
