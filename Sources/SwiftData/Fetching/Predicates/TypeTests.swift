import Foundation
import Relational

extension PredicateExpressions.TypeCheck: SQLTranslatable {
  var operands: [any PredicateExpression] { [input] }

  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    let (model, layout) = try Cast.model(input, Desired.self, context)
    return Term(model.meets(model.isKind(of: layout, context)))
  }
}

extension PredicateExpressions.ConditionalCast: SQLTranslatable {
  var operands: [any PredicateExpression] { [input] }

  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    var (model, layout) = try Cast.model(input, Desired.self, context)
    switch model.isKind(of: layout, context).possible {
    case .always(false): return .constant(nil)
    case .always(true): return .model(model)
    case .test(let test):
      model.presence = Presence(SQLTest(test.twoValued)).and(model.presence)
      model.layout = layout
      return .model(model)
    }
  }
}

extension PredicateExpressions.ForceCast: SQLTranslatable {
  var operands: [any PredicateExpression] { [input] }

  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    var (model, layout) = try Cast.model(input, Desired.self, context)
    if layout.entity.isKind(of: model.layout.entity) { model.layout = layout }
    return .model(model.unwrapped)
  }
}

private enum Cast {
  static func model(
    _ input: Term, _ type: Any.Type, _ context: TranslationContext
  ) throws -> (ModelTerm, EntityLayout) {
    guard case .model(let model) = input, let type = type as? any PersistentModel.Type,
      let layout = context.layout.layout(forType: type)
    else { throw Untranslatable("\(type) is no model of the store") }
    return (model, layout)
  }
}
