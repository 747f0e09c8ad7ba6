import Foundation
import Relational

extension PredicateExpressions.Conditional: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let test = try context.condition(test)
    if let constant = test.constant {
      return try constant ? context.translate(trueBranch) : context.translate(falseBranch)
    }
    if If.Output.self == Bool.self {
      let (then, otherwise) = (try context.condition(trueBranch), try context.condition(falseBranch))
      return Term(test.and(then).or(test.negated().and(otherwise)))
    }
    let (then, otherwise) = (try context.translate(trueBranch), try context.translate(falseBranch))
    let (first, second) = (
      try then.scalar(like: otherwise, in: context).withNaN, try otherwise.scalar(like: then, in: context).withNaN
    )
    guard first.kind == second.kind else { throw Untranslatable("the two branches differ in kind") }
    return .scalar(
      ScalarTerm(
        .conditional(
          condition: try test.exactTest().expression, then: first.expression, otherwise: second.expression),
        first.kind, isOptional: first.isOptional || second.isOptional,
        mayBeNull: first.mayBeNull || second.mayBeNull))
  }
}
