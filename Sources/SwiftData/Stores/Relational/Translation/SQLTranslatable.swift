import Foundation

/// A node of a predicate that can have a meaning in SQL. Each family of nodes conforms in a file of its own.
protocol SQLTranslatable: PredicateNode {
  /// What the node stands for.
  ///
  /// - Throws: ``Untranslatable`` for what has to be evaluated in memory, ``SwiftDataError`` for what cannot be at all.
  func translate(in context: TranslationContext) throws -> Term
}
