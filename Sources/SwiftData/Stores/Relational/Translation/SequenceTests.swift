import Foundation
import Relational

extension PredicateExpressions.SequenceContains: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (members, member) = (try context.translate(sequence), try context.translate(element))
    // Before folding, because a captured range may have too many elements to iterate.
    if let range = members.range { return Term(try range.contains(member, context)) }
    if let folded = try context.folded(self, members, member) { return folded }
    switch members {
    case .constant(let value):
      guard let elements = value as? any Sequence else { throw Untranslatable("no sequence is searched") }
      return Term(try CapturedSequence.contains(elements, member, context))
    default:
      return Term(try members.collection().contains(member, context))
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    try SequenceTest.contains(context.translate(sequence), LHS.Output.self, variable, context) {
      try context.condition(test)
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let exception = try SequenceTest.contains(context.translate(sequence), LHS.Output.self, variable, context) {
      try context.condition(test, isNegated: true)
    }
    return Term(try exception.negatedCondition())
  }
}

extension PredicateExpressions.Filter: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let members = try context.translate(sequence)
    if case .constant(let value) = members {
      guard let elements = value as? LHS.Output else { throw Untranslatable("no sequence is filtered") }
      return try SequenceTest.filter(elements, variable, context) { try context.condition(filter) }
    }
    var collection = try members.collection()
    let scope = context.scope
    collection.filters.append { member, context in
      try context.within(scope) {
        context.bind(variable, to: member)
        return try context.condition(filter)
      }
    }
    return .collection(collection)
  }
}

private enum SequenceTest {
  static func contains<Elements: Sequence>(
    _ members: Term, _ type: Elements.Type, _ variable: PredicateExpressions.Variable<Elements.Element>,
    _ context: TranslationContext, where test: @escaping () throws -> Condition
  ) throws -> Term {
    switch members {
    case .constant(let value):
      guard let elements = value as? Elements else { throw Untranslatable("no sequence is searched") }
      var condition = Condition.always(false)
      for element in elements {
        try context.countCapturedTest()
        context.bind(variable, toConstant: element)
        condition = condition.or(try test())
        if condition.constant == true { break }
      }
      return Term(condition)
    default:
      return Term(
        try members.collection().exists(context) { member in
          context.bind(variable, to: member)
          return try test()
        })
    }
  }

  /// The captured elements that pass a test which does not depend on rows.
  static func filter<Elements: Sequence>(
    _ elements: Elements, _ variable: PredicateExpressions.Variable<Elements.Element>, _ context: TranslationContext,
    where test: () throws -> Condition
  ) throws -> Term {
    var passing: [Elements.Element] = []
    for element in elements {
      try context.countCapturedTest()
      context.bind(variable, toConstant: element)
      guard let passes = try test().constant else {
        throw Untranslatable("captured elements are filtered by values of the rows")
      }
      if passes { passing.append(element) }
    }
    return .constant(passing)
  }
}

extension CollectionTerm {
  fileprivate func contains(_ member: Term, _ context: TranslationContext) throws -> Condition {
    guard case .relationship(_, _, let destination) = members else {
      return try exists(context) { try Equality.condition($0, member, context) }
    }
    switch member {
    case .constant(let value):
      let element = ModelTerm(destination, source: "")
      guard let value, let key = try CapturedModels.key(value, of: element, context) else {
        return .always(false)
      }
      return try contains(.value(.integer(key)), context)
    case .model(let model) where model.layout.root === destination.root:
      return model.meets(try contains(model.key.expression, context))
    default:
      throw Untranslatable("a relationship is searched for a model of another entity")
    }
  }
}
