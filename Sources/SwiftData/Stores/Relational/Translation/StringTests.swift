import Foundation
import FoundationSupplements
import Relational

extension PredicateExpressions.CollectionContainsCollection: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (text, part) = (try context.translate(base), try context.translate(other))
    if let folded = try context.folded(self, text, part) { return folded }
    return .condition(
      .exact(
        try TextTest.test(StringFunctions.contains, text, part, context)))
  }
}

extension PredicateExpressions.SequenceStartsWith: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (text, prefix) = (try context.translate(base), try context.translate(prefix))
    if let folded = try context.folded(self, text, prefix) { return folded }
    return .condition(
      .exact(
        try TextTest.test(StringFunctions.startsWith, text, prefix, context) { column, prefix in
          guard case .column = column, !prefix.stablePrefix.isEmpty else { return nil }
          return .hasPrefix(column, .text(prefix.stablePrefix))
        }))
  }
}

extension PredicateExpressions.StringContainsRegex: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (text, pattern) = (try context.translate(subject), try context.translate(regex))
    if let folded = try context.folded(self, text, pattern) { return folded }
    guard case .constant(let pattern) = pattern, let pattern = pattern as? PredicateExpressions.PredicateRegex else {
      throw Untranslatable("the regular expression differs from row to row")
    }
    let scalar = try text.scalar(in: context)
    guard scalar.kind.isText else { throw Untranslatable("no text is searched") }
    let written = SQLExpression.value(.text(pattern.stringRepresentation))
    return .condition(.exact(scalar.test { .call(RegularExpressions.matches, [$0, written]) }))
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.StringLocalizedCompare: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      let (text, other) = (try context.translate(root), try context.translate(other))
      if let folded = try context.folded(self, text, other) { return folded }
      return .scalar(try TextTest.order(StringFunctions.localizedCompare, text, other, context))
    }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      let (text, other) = (try context.translate(root), try context.translate(other))
      if let folded = try context.folded(self, text, other) { return folded }
      return .scalar(try TextTest.order(StringFunctions.caseInsensitiveCompare, text, other, context))
    }
  }

  extension PredicateExpressions.StringLocalizedStandardContains: SQLTranslatable {
    func translate(in context: TranslationContext) throws -> Term {
      let (text, part) = (try context.translate(root), try context.translate(other))
      if let folded = try context.folded(self, text, part) { return folded }
      return .condition(.exact(try TextTest.test(StringFunctions.localizedStandardContains, text, part, context)))
    }
  }
#endif

/// Tests of two texts by functions of the store.
private enum TextTest {
  /// The order of two texts, by a function of the store.
  static func order(
    _ function: ScalarFunction, _ text: Term, _ other: Term, _ context: TranslationContext
  ) throws -> ScalarTerm {
    let (left, right) = (try text.scalar(in: context), try other.scalar(in: context))
    guard left.kind.isText, right.kind.isText else { throw Untranslatable("no texts are compared") }
    return ScalarTerm(
      .call(function, [left.expression, right.expression]), .comparisonResult, isOptional: false,
      mayBeNull: left.mayBeNull || right.mayBeNull)
  }

  /// - Parameter narrowing: A cheaper condition that all matches of a captured text meet.
  static func test(
    _ function: ScalarFunction, _ text: Term, _ other: Term, _ context: TranslationContext,
    narrowing: (SQLExpression, CanonicalText) -> SQLExpression? = { _, _ in nil }
  ) throws -> SQLTest {
    if case .constant(let value) = other, case .scalar(let scalar) = text {
      guard scalar.kind.isText, let value = value as? String else { throw Untranslatable("no text is searched") }
      return scalar.test { column in
        let answer = SQLExpression.call(function, [column, .value(.text(value))])
        let narrower = [narrowing(column, CanonicalText(value)), scalar.candidates(for: value)].compactMap(\.self)
        return narrower.reversed().reduce(answer) { .binary(.and, $1, $0) }
      }
    }
    let (left, right) = (try text.scalar(in: context), try other.scalar(in: context))
    guard left.kind.isText, right.kind.isText else { throw Untranslatable("no text is searched") }
    return SQLTest(
      .call(function, [left.expression, right.expression]), mayBeNull: left.mayBeNull || right.mayBeNull)
  }
}
