import Foundation
import Relational

extension PredicateExpressions.OptionalFlatMap: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let optional = try context.translate(wrapped)
    if case .constant(let value) = optional {
      guard let value else { return .constant(nil) }
      guard let value = value as? Wrapped else { throw Untranslatable("a \(type(of: value)) is no \(Wrapped.self)") }
      context.bind(variable, toConstant: value)
      return try context.translate(transform)
    }
    let (unwrapped, presence) = try optional.unwrapped(context)
    context.bind(variable, to: unwrapped)
    let result = try context.translate(transform)
    return try presence.map { try result.limited(by: $0, context) } ?? result
  }
}

extension PredicateExpressions.ForcedUnwrap: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let optional = try context.translate(inner)
    // Where there is nothing to unwrap, Swift throws, and SQL returns null.
    if case .optionalCondition(let condition, let presence) = optional { return Term(presence.and(condition)) }
    return try context.folded(self, optional) ?? optional.unwrapped(context).term
  }
}

extension PredicateExpressions.NilCoalesce: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let left = try context.translate(lhs)
    switch left {
    case .constant(let value):
      return try value == nil ? context.translate(rhs) : left
    case .optionalCondition(let condition, let presence):
      let otherwise = Condition.exact(presence.test.negated).and(try context.condition(rhs))
      return Term(presence.and(condition).or(otherwise))
    case .scalar(let scalar):
      return try scalar.coalesced(context.translate(rhs), context)
    case .collection(var collection) where try context.translate(rhs).isEmptyCollection:
      // An absent collection has no members.
      collection.presence = nil
      return .collection(collection)
    default:
      let (_, presence) = try left.unwrapped(context)
      guard presence == nil else { throw Untranslatable("a value of several parts replaces nil") }
      return left
    }
  }
}

extension ScalarTerm {
  /// The value, or another one instead of nil.
  func coalesced(_ other: Term, _ context: TranslationContext) throws -> Term {
    guard isOptional else { return .scalar(self) }
    if kind == .bool, case .constant(let value) = other, let value = value as? Bool {
      return .condition(.exact(value ? try isFalse.negated : try isTrue))
    }
    let other = try other.scalar(like: .scalar(self), in: context).withNaN
    guard other.kind == kind, kind.primitive != nil else {
      throw Untranslatable("\(other.kind) replaces nil in \(kind)")
    }
    return .scalar(
      ScalarTerm(
        .function(.coalesce, [expression, other.expression]), kind, isOptional: other.isOptional,
        mayBeNull: other.mayBeNull))
  }
}

extension Term {
  /// The value of the optional with its presence; nil if it is not optional.
  func unwrapped(_ context: TranslationContext) throws -> (term: Term, presence: Presence?) {
    switch self {
    case .scalar(let scalar): (.scalar(scalar.unwrapped), scalar.presence)
    case .composite(let composite): (.composite(composite.unwrapped), try composite.presence(context))
    case .object(let object): (.object(object.unwrapped), object.presence)
    case .model(let model): (.model(model.unwrapped), model.presence)
    case .identifier(let model): (.identifier(model.unwrapped), model.presence)
    case .collection(var collection):
      {
        let presence = collection.presence
        collection.presence = nil
        return (.collection(collection), presence)
      }()
    case .optionalCondition(let condition, let presence): (.condition(condition), presence)
    case .transaction, .condition, .range, .constant: (self, nil)
    }
  }

  /// The term, or nil where there is no other value.
  func limited(by presence: Presence, _ context: TranslationContext) throws -> Term {
    switch self {
    case .constant(nil):
      return self
    case .constant(let value as Bool):
      return .optionalCondition(.always(value), presence: presence)
    case .constant, .scalar:
      return .scalar(ScalarTerm(optional: try scalar(in: context).withNaN, presence))
    case .condition(let condition):
      return .optionalCondition(condition, presence: presence)
    case .optionalCondition(let condition, let inner):
      return .optionalCondition(condition, presence: presence.and(inner))
    case .model(var model):
      model.presence = presence.and(model.presence)
      return .model(model)
    case .identifier(var model):
      model.presence = presence.and(model.presence)
      return .identifier(model)
    case .collection(var collection):
      collection.presence = presence.and(collection.presence)
      return .collection(collection)
    case .composite(var composite):
      composite.outerPresence = presence.and(composite.outerPresence)
      return .composite(composite)
    case .object(let object):
      return .object(object.limited(by: presence))
    case .transaction, .range:
      throw Untranslatable("a value of several parts is optional")
    }
  }

  fileprivate var isEmptyCollection: Bool {
    if case .constant(let value) = self, let value = value as? any Collection { value.isEmpty } else { false }
  }
}

extension ScalarTerm {
  /// A value that is nil where there is no other value.
  init(optional scalar: ScalarTerm, _ presence: Presence) {
    let guarded = presence.guarding(scalar.expression)
    if guarded == scalar.expression {
      self = scalar
      isOptional = true
      mayBeNull = true
    } else {
      self.init(guarded, scalar.kind, isOptional: true)
    }
  }
}
