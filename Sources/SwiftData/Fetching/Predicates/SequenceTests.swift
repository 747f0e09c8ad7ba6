import Foundation
import Relational

extension PredicateExpressions.SequenceContains: SQLTranslatable {
  var operands: [any PredicateExpression] { [sequence, element] }

  func translate(in context: TranslationContext) throws -> Term {
    let (members, member) = (try context.translate(sequence), try context.translate(element))
    // Before folding, because a captured range may have more elements than anybody wants to count.
    if let range = members.range { return Term(try range.contains(member, context)) }
    if let folded = try context.folded(self, members, member) { return folded }
    switch members {
    case .constant(let value):
      guard let values = (value as? any Sequence).map(CapturedSequence.elements) else {
        throw Untranslatable("no sequence is searched")
      }
      return Term(try CapturedSequence.contains(values, member, context))
    case .collection(let collection):
      return Term(try collection.contains(member, context))
    default:
      throw Untranslatable("a sequence is kept encoded")
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: SQLTranslatable {
  var operands: [any PredicateExpression] { [sequence, test] }

  func translate(in context: TranslationContext) throws -> Term {
    try SequenceTest.contains(context.translate(sequence), LHS.Output.self, variable, context) {
      try context.condition(test)
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: SQLTranslatable {
  var operands: [any PredicateExpression] { [sequence, test] }

  func translate(in context: TranslationContext) throws -> Term {
    let exception = try SequenceTest.contains(context.translate(sequence), LHS.Output.self, variable, context) {
      try context.condition(test, isNegated: true)
    }
    return Term(try exception.negatedCondition())
  }
}

extension PredicateExpressions.Filter: SQLTranslatable {
  var operands: [any PredicateExpression] { [sequence, filter] }

  func translate(in context: TranslationContext) throws -> Term {
    guard case .collection(var collection) = try context.translate(sequence) else {
      throw Untranslatable("a sequence that is no relationship is filtered")
    }
    collection.filters.append { member, context in
      context.bind(variable, to: .model(member))
      return try context.condition(filter)
    }
    return .collection(collection)
  }
}

private enum SequenceTest {
  /// How many captured elements are tested one by one.
  static let limit = 1000

  static func contains<Elements: Sequence>(
    _ members: Term, _ type: Elements.Type, _ variable: PredicateExpressions.Variable<Elements.Element>,
    _ context: TranslationContext, where test: @escaping () throws -> Condition
  ) throws -> Term {
    switch members {
    case .collection(let collection):
      return Term(
        try collection.exists(context) { member in
          context.bind(variable, to: .model(member))
          return try test()
        })
    case .constant(let value):
      guard let elements = value as? Elements else { throw Untranslatable("no sequence is searched") }
      var condition = Condition.always(false)
      for (index, element) in elements.enumerated() {
        guard index < limit else { throw Untranslatable("more than \(limit) captured elements are tested") }
        context.bind(variable, toConstant: element)
        condition = condition.or(try test())
      }
      return Term(condition)
    default:
      throw Untranslatable("a sequence is kept encoded")
    }
  }
}

extension CollectionTerm {
  fileprivate func contains(_ member: Term, _ context: TranslationContext) throws -> Condition {
    switch member {
    case .constant(let value):
      let element = ModelTerm(destination, source: "")
      guard let value, let key = try CapturedModels.keys([value], of: element, context).first else {
        return .always(false)
      }
      return try contains(.value(.integer(key)), context)
    case .model(let model) where model.layout.root === destination.root:
      return model.meets(try contains(model.key.expression, context))
    default:
      throw Untranslatable("a relationship is searched for what is no model of it")
    }
  }
}
