import Foundation
import Relational

// Where an index is out of range, Swift traps, and SQL returns null.

extension PredicateExpressions.CollectionIndexSubscript: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (base, position) = (try context.translate(wrapped), try context.translate(index))
    if let folded = try context.folded(self, base, position) { return folded }
    guard case .json(let elements) = try base.collection().members, try base.collection().filters.isEmpty else {
      throw Untranslatable("the elements have no index in SQL")
    }
    let index = try position.scalar(in: context)
    guard index.kind == .int else { throw Untranslatable("the index is no number") }
    return try elements.element(at: index.expression, isOptional: false, context)
  }
}

extension PredicateExpressions.CollectionRangeSubscript: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (base, bounds) = (try context.translate(wrapped), try context.translate(range))
    if let folded = try context.folded(self, base, bounds) { return folded }
    throw Untranslatable("a part of a collection is taken")
  }
}

extension PredicateExpressions.DictionaryKeySubscript: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (base, name) = (try context.translate(wrapped), try context.translate(key))
    if let folded = try context.folded(self, base, name) { return folded }
    return try Dictionaries.value(base, name, context)
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let (base, name) = (try context.translate(wrapped), try context.translate(key))
    let otherwise = try context.translate(`default`)
    if let folded = try context.folded(self, base, name, otherwise) { return folded }
    guard case .scalar(let scalar) = try Dictionaries.value(base, name, context) else {
      throw Untranslatable("the value has several parts")
    }
    return try scalar.coalesced(otherwise, context)
  }
}

private enum Dictionaries {
  static func value(_ base: Term, _ key: Term, _ context: TranslationContext) throws -> Term {
    guard case .json(let elements) = try base.collection().members else {
      throw Untranslatable("the searched value is no dictionary of a row")
    }
    guard case .constant(let name) = key, let name = name as? String else {
      throw Untranslatable("the key differs from row to row")
    }
    return try elements.value(for: name, context)
  }
}
