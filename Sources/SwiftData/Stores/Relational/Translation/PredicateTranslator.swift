import Foundation
import Relational

/// A predicate translated for a store.
struct TranslatedPredicate {
  /// Nil when every row meets it.
  var condition: SQLExpression?
  /// Whether the condition equals the predicate. Otherwise it selects more rows, and the models have to be tested in
  /// memory.
  var isExact: Bool { untranslated == nil }
  /// The first part that has to be evaluated in memory.
  var untranslated: Untranslatable?
}

/// Translates predicates over models of one entity into SQL.
///
/// A part without a translation makes the condition wider, never narrower.
struct PredicateTranslator {
  let layout: StoreLayout
  let entity: EntityLayout
  /// The identifier of the store, to recognize its models.
  let store: InternedString
  /// The existing search indexes.
  var searches = SearchIndexes.none
  /// The cache of predicates, with the dialect of its SQL.
  var memory: (cache: PredicateCache, dialect: any Dialect)?

  /// Translates a predicate for the rows of `Projection.alias`.
  ///
  /// - Throws: `SwiftDataError.unsupportedPredicate` if it uses models that the store does not have.
  func translate<T: PersistentModel>(_ predicate: Predicate<T>) throws -> TranslatedPredicate {
    guard let memory, let shape = PredicateShape(of: predicate, entity: entity.ordinal) else {
      return try translate(predicate, nil)
    }
    switch memory.cache.known(of: shape.key) {
    case .template(let template):
      return template.filled(with: shape.captured)
    case .nothing:
      memory.cache.set(.seen, of: shape.key)
    case .seen:
      let asked = CaptureRecorder()
      let template = try PredicateTemplate(memory.dialect, asked, CaptureRecorder(firstProbe: 0)) {
        try translate(predicate, $0)
      }
      let isFit = asked.captured == shape.captured
      memory.cache.set(template.flatMap { isFit ? .template($0) : nil } ?? .unfit, of: shape.key)
    case .unfit:
      break
    }
    return try translate(predicate, nil)
  }

  func translate<T: PersistentModel>(
    _ predicate: Predicate<T>, _ recorder: CaptureRecorder?
  ) throws -> TranslatedPredicate {
    let context = TranslationContext(layout: layout, store: store, searches: searches, recorder: recorder)
    context.bind(predicate.variable, to: .model(ModelTerm(entity, source: Projection.alias)))
    let condition = try context.condition(predicate.expression)
    let untranslated =
      condition.isExact ? nil : context.untranslated ?? Untranslatable("a part of it has no translation")
    switch condition.possible {
    case .always(true): return TranslatedPredicate(condition: nil, untranslated: untranslated)
    case .always(false): return TranslatedPredicate(condition: SQLTest.never.expression)
    case .test(let test): return TranslatedPredicate(condition: test.expression, untranslated: untranslated)
    }
  }
}
