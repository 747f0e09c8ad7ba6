import Foundation
import Relational

extension PredicateExpressions.TypeCheck: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    if case .scalar(let scalar) = input { return try scalar.isOf(Desired.self) }
    let (model, layout) = try Cast.model(input, Desired.self, context)
    return Term(model.meets(model.isKind(of: layout, context)))
  }
}

extension PredicateExpressions.ConditionalCast: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    if case .scalar(let scalar) = input { return try scalar.cast(to: Desired.self) }
    var (model, layout) = try Cast.model(input, Desired.self, context)
    switch model.isKind(of: layout, context).possible {
    case .always(false): return .constant(nil)
    case .always(true): return .model(model)
    case .test(let test):
      model.presence = Presence(SQLTest(test.twoValued)).and(model.presence)
      model.layout = layout
      return .model(model)
    }
  }
}

extension PredicateExpressions.ForceCast: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let input = try context.translate(input)
    if let folded = try context.folded(self, input) { return folded }
    if case .scalar(let scalar) = input {
      guard case .scalar(let value) = try scalar.cast(to: Desired.self) else {
        throw Untranslatable("a cast to \(Desired.self) fails")
      }
      return .scalar(Desired.self is any OptionalValue.Type ? value : value.unwrapped)
    }
    var (model, layout) = try Cast.model(input, Desired.self, context)
    if layout.entity.isKind(of: model.layout.entity) { model.layout = layout }
    return .model(model.unwrapped)
  }
}

extension ScalarTerm {
  /// Whether the value is of a type.
  fileprivate func isOf(_ type: Any.Type) throws -> Term {
    guard try hasType(type) else { return .constant(false) }
    guard isOptional, !(type is any OptionalValue.Type) else { return .constant(true) }
    return .condition(.exact(SQLTest(.isNotNull(expression))))
  }

  /// The value as an optional of a type.
  fileprivate func cast(to type: Any.Type) throws -> Term {
    guard try hasType(type) else { return .constant(nil) }
    var value = withNaN
    value.isOptional = true
    return .scalar(value)
  }

  /// Whether non-nil values are of a type that has columns itself, and is no protocol.
  private func hasType(_ type: Any.Type) throws -> Bool {
    let type = unwrappedType(type)
    guard let own = kind.valueType else { throw Untranslatable("\(kind) is cast") }
    if own == type { return true }
    guard type is any _PrimitiveValue.Type else { throw Untranslatable("\(own) is cast to \(type)") }
    return false
  }
}

private enum Cast {
  static func model(
    _ input: Term, _ type: Any.Type, _ context: TranslationContext
  ) throws -> (ModelTerm, EntityLayout) {
    guard case .model(let model) = input, let type = type as? any PersistentModel.Type,
      let layout = context.layout.layout(forType: type)
    else { throw Untranslatable("\(type) is no model of the store") }
    return (model, layout)
  }
}
