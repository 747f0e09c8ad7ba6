import Foundation

/// A node of a predicate that can have a meaning in SQL. Each family of nodes conforms in a file of its own.
protocol SQLTranslatable: PredicateExpression {
  /// What the node stands for.
  ///
  /// - Throws: ``Untranslatable`` for what has to be evaluated in memory, ``SwiftDataError`` for what cannot be at all.
  func translate(in context: TranslationContext) throws -> Term

  /// The nodes right below this one.
  var operands: [any PredicateExpression] { get }

  /// Tells a shape what the SQL of the node depends on, in the order in which its operands are translated.
  func describe(to shape: inout PredicateShape)
}

/// Why a part of a predicate has no translation.
struct Untranslatable: Error {
  var reason: String
  /// The name of the key path that has no translation, when it is one.
  var keyPath: String?
  /// The part of the predicate, without the values that it captures.
  var part = ""

  init(_ reason: String) {
    self.reason = reason
  }
}
