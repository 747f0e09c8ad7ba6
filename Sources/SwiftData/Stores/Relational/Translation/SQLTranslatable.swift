import Foundation

/// A node of a predicate with a translation to SQL. Each family of nodes conforms in a file of its own.
protocol SQLTranslatable: PredicateNode {
  /// Translates the node.
  ///
  /// - Throws: ``Untranslatable`` if it has to be evaluated in memory, ``SwiftDataError`` if it cannot be evaluated at all.
  func translate(in context: TranslationContext) throws -> Term
}
