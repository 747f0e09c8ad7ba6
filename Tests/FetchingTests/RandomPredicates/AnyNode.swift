import Foundation

@testable import SwiftData

/// A node of a predicate with a type that depends on the output only, so that nodes can be combined at run time.
struct AnyNode<Output>: StandardPredicateExpression, SQLTranslatable, CustomStringConvertible {
  private let base: any StandardPredicateExpression<Output>

  init(_ base: any StandardPredicateExpression<Output>) {
    self.base = (base as? AnyNode<Output>)?.base ?? base
  }

  var operands: [any PredicateExpression] { [base] }
  var description: String { (base as? any CustomStringConvertible)?.description ?? "\(type(of: base))" }

  func evaluate(_ bindings: PredicateBindings) throws -> Output {
    try base.evaluate(bindings)
  }

  func translate(in context: TranslationContext) throws -> Term {
    try context.translate(base)
  }

  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "No node is read."))
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "No node is written."))
  }
}
