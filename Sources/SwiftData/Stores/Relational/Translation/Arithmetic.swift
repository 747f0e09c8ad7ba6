import Foundation
import Relational

// Where Swift traps, because an integer overflows or is divided by zero, SQL returns a larger number or null. Otherwise both
// agree.

extension PredicateExpressions.Arithmetic: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (left, right) = (try context.translate(lhs), try context.translate(rhs))
    if let folded = try context.folded(self, left, right) { return folded }
    let binary: SQLExpression.Binary
    switch op {
    case .add: binary = .add
    case .subtract: binary = .subtract
    case .multiply: binary = .multiply
    @unknown default: throw Untranslatable("an operator is unknown")
    }
    return .scalar(try Arithmetic.term(binary, left, right, context))
  }
}

extension PredicateExpressions.IntDivision: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .scalar(try Arithmetic.term(.divide, context.translate(lhs), context.translate(rhs), context))
  }
}

extension PredicateExpressions.IntRemainder: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    .scalar(try Arithmetic.term(.remainder, context.translate(lhs), context.translate(rhs), context))
  }
}

extension PredicateExpressions.FloatDivision: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (left, right) = (try context.translate(lhs), try context.translate(rhs))
    if let folded = try context.folded(self, left, right) { return folded }
    // SQL returns null for a division by zero, and not infinity.
    switch right {
    case .constant(let divisor as Double) where divisor == 0:
      return .scalar(try Arithmetic.term(.multiply, left, .constant(1 / divisor), context))
    case .constant:
      return .scalar(try Arithmetic.term(.divide, left, right, context))
    default:
      return .scalar(try divided(left, right.scalar(like: left, in: context), context))
    }
  }

  private func divided(_ left: Term, _ divisor: ScalarTerm, _ context: TranslationContext) throws -> ScalarTerm {
    // Columns have no negative zero, whose quotient differs; results of arithmetic may.
    guard case .column = divisor.expression else { throw Untranslatable("the divisor may be a negative zero") }
    let quotient = try Arithmetic.term(.divide, left, .scalar(divisor), context)
    let unbounded = try Arithmetic.term(.multiply, left, .constant(Double.infinity), context)
    return ScalarTerm(
      .conditional(
        condition: .binary(.equal, divisor.expression, .value(.real(0))), then: unbounded.expression,
        otherwise: quotient.expression),
      quotient.kind, isOptional: false, mayBeNull: true)
  }
}

extension PredicateExpressions.UnaryMinus: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let operand = try context.translate(wrapped)
    if case .constant(let value) = operand, !(value is any FixedWidthInteger),
      let folded = try context.folded(self, operand)
    {
      return folded
    }
    let scalar = try operand.scalar(in: context)
    try Arithmetic.check(scalar.kind)
    return .scalar(
      ScalarTerm(
        .unary(.negate, FloatingPoint.operand(scalar)), scalar.kind, isOptional: false,
        mayBeNull: scalar.mayBeNull || scalar.kind.isFloatingPoint))
  }
}

private enum Arithmetic {
  static func term(
    _ binary: SQLExpression.Binary, _ left: Term, _ right: Term, _ context: TranslationContext
  ) throws -> ScalarTerm {
    let (left, right) = (try left.scalar(like: right, in: context), try right.scalar(like: left, in: context))
    try check(left.kind)
    guard left.kind == right.kind else { throw Untranslatable("\(left.kind) and \(right.kind) are mixed") }
    let mayBeNull =
      left.mayBeNull || right.mayBeNull || left.kind.isFloatingPoint || binary == .divide || binary == .remainder
    return ScalarTerm(
      .binary(binary, FloatingPoint.operand(left), FloatingPoint.operand(right)), left.kind, isOptional: false,
      mayBeNull: mayBeNull)
  }

  static func check(_ kind: ScalarKind) throws {
    switch kind.primitive {
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is UInt8.Type, is UInt16.Type,
      is UInt32.Type, is Double.Type:
      guard kind.rawType == nil else { fallthrough }
    default:
      throw Untranslatable("SQL has other arithmetic for \(kind) than Swift")
    }
  }
}
