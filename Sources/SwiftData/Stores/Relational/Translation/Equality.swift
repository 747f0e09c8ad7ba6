import Foundation
import Relational

extension PredicateExpressions.Equal: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (left, right) = (try context.translate(lhs), try context.translate(rhs))
    if let folded = try context.folded(self, left, right) { return folded }
    return .condition(try Equality.condition(left, right, context))
  }
}

extension PredicateExpressions.NotEqual: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (left, right) = (try context.translate(lhs), try context.translate(rhs))
    if let folded = try context.folded(self, left, right) { return folded }
    return .condition(try Equality.condition(left, right, context).negated())
  }
}

/// Equality by Swift's rules: nil equals nil, NaN equals nothing.
enum Equality {
  static func condition(_ left: Term, _ right: Term, _ context: TranslationContext) throws -> Condition {
    switch (left, right) {
    case (.constant(let value), let term), (let term, .constant(let value)):
      guard let value else { return try isNil(term, context) }
      return try equal(term, value, context)
    case (.model(let left), .model(let right)), (.identifier(let left), .identifier(let right)):
      return try equal(left, right)
    default:
      return try equal(left.scalar(in: context), right.scalar(in: context))
    }
  }

  /// Whether a term is nil.
  static func isNil(_ term: Term, _ context: TranslationContext) throws -> Condition {
    let presence: Presence?
    switch term {
    case .constant(let value): return .always(value == nil)
    case .scalar(let scalar): presence = scalar.presence
    case .composite(let composite): presence = try composite.presence(context)
    case .object(let object): presence = object.presence
    case .model(let model), .identifier(let model): presence = model.presence
    case .collection(let collection): presence = collection.presence
    case .optionalCondition(_, let condition): presence = condition
    case .transaction, .condition, .range: presence = nil
    }
    guard let presence else { return .always(false) }
    return .exact(presence.test.negated)
  }

  private static func equal(_ term: Term, _ value: Any, _ context: TranslationContext) throws -> Condition {
    switch term {
    case .scalar(let scalar):
      return try equal(scalar, value, context)
    case .model(let model), .identifier(let model):
      return try CapturedModels.contains([value], model, context)
    case .condition(let condition):
      return value as? Bool == true ? condition : condition.negated()
    case .optionalCondition(let condition, let presence):
      return presence.and(value as? Bool == true ? condition : condition.negated())
    case .composite, .object, .transaction, .collection, .range, .constant:
      throw Untranslatable("a value of several parts is compared")
    }
  }

  static func equal(_ scalar: ScalarTerm, _ value: Any, _ context: TranslationContext) throws -> Condition {
    let value = try context.encode(value, as: scalar.kind)
    if scalar.kind.hasUnequalNaN, value == ColumnEncoding.notANumber { return .always(false) }
    if case .text(let text) = value, scalar.kind.isMadeOfText { return .exact(TextComparison.equal(scalar, text)) }
    return .exact(scalar.test { .binary(.equal, $0, .value(value)) })
  }

  private static func equal(_ left: ScalarTerm, _ right: ScalarTerm) throws -> Condition {
    guard left.kind == right.kind, left.kind.primitive != nil else {
      throw Untranslatable("\(left.kind) is compared with \(right.kind)")
    }
    var (first, second) = (left.expression, right.expression)
    if left.kind.isMadeOfText {
      (first, second) = (TextComparison.normalized(first), TextComparison.normalized(second))
    }
    var test =
      left.isOptional && right.isOptional
      ? SQLTest(.binary(.isSame, first, second))
      : SQLTest(.binary(.equal, first, second), mayBeNull: left.mayBeNull || right.mayBeNull)
    if left.kind.hasUnequalNaN { test = test.and(FloatingPoint.isNumber(first)) }
    return .exact(test)
  }

  private static func equal(_ left: ModelTerm, _ right: ModelTerm) throws -> Condition {
    guard left.layout.root === right.layout.root else { throw Untranslatable("identifiers of two tables are compared") }
    let (first, second) = (left.key.expression, right.key.expression)
    let areSame = SQLTest(.binary(.equal, first, second), mayBeNull: left.key.mayBeNull || right.key.mayBeNull)
    let equal = left.meets(right.meets(.exact(areSame)))
    guard let leftPresence = left.presence, let rightPresence = right.presence else { return equal }
    return equal.or(.exact(leftPresence.test.negated.and(rightPresence.test.negated)))
  }
}

extension ModelTerm {
  /// The condition, and that there is a model.
  func meets(_ condition: Condition) -> Condition {
    presence?.and(condition) ?? condition
  }
}
