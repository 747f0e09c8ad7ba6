import Foundation
import Relational

extension PredicateExpressions.SequenceMaximum: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let elements = try context.translate(elements)
    return try context.folded(self, elements) ?? elements.collection().extreme(.maximum, context)
  }
}

extension PredicateExpressions.SequenceMinimum: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let elements = try context.translate(elements)
    return try context.folded(self, elements) ?? elements.collection().extreme(.minimum, context)
  }
}

extension CollectionTerm {
  /// The largest or the smallest element, or nil.
  fileprivate func extreme(_ aggregate: SQLExpression.Aggregate, _ context: TranslationContext) throws -> Term {
    var (select, member) = try members(context)
    guard case .scalar(let scalar) = member, scalar.kind.primitive != nil, scalar.kind.rawType == nil else {
      throw Untranslatable("SQL does not know the order of the elements")
    }
    for filter in filters {
      let test = try filter(member, context).exactTest()
      select.condition = select.condition.map { .binary(.and, $0, test.expression) } ?? test.expression
    }
    if scalar.kind.isText {
      // The first of several equal texts, unnormalized.
      let index = SQLExpression.column(table: select.from.alias, name: Select.Source.Element.key)
      select.columns = [scalar.expression]
      select.orderBy = [
        .init(TextComparison.normalized(scalar.expression), isDescending: aggregate == .maximum), .init(index),
      ]
      select.limit = 1
    } else {
      select.columns = [.aggregate(aggregate, scalar.expression, distinct: false)]
    }
    return .scalar(ScalarTerm(.scalar(select), scalar.kind, isOptional: true))
  }
}
