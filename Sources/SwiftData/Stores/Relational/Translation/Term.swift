import Relational

/// The translation of a predicate's node.
indirect enum Term {
  /// A captured value, or a value computed only from captured values.
  case constant(Any?)
  case scalar(ScalarTerm)
  case composite(CompositeTerm)
  case object(JSONObjectTerm)
  case model(ModelTerm)
  case identifier(ModelTerm)
  case transaction(TransactionTerm)
  case collection(CollectionTerm)
  case range(RangeTerm)
  case condition(Condition)
  /// The truth of a condition, or nil where the other condition is false.
  case optionalCondition(Condition, presence: Presence)

  var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// The term as a condition.
  func condition() throws -> Condition {
    switch self {
    case .constant(let value):
      guard let truth = value as? Bool else { throw Untranslatable("a constant is no Bool") }
      return .always(truth)
    case .scalar(let scalar):
      return .exact(try scalar.isTrue)
    case .condition(let condition):
      return condition
    case .optionalCondition(let condition, let presence):
      return presence.and(condition)
    case .composite, .object, .model, .identifier, .transaction, .collection, .range:
      throw Untranslatable("a Bool is expected")
    }
  }

  func negatedCondition() throws -> Condition {
    if case .scalar(let scalar) = self, !scalar.mayBeNull { return .exact(try scalar.isFalse) }
    return try condition().negated()
  }

  /// The term as a single value; a constant gets the kind of the other operand.
  func scalar(like other: Term? = nil, in context: TranslationContext) throws -> ScalarTerm {
    switch self {
    case .scalar(let scalar):
      return scalar
    case .condition(let condition):
      return ScalarTerm(.idiom(.truth(try condition.exactTest().twoValued)), .bool, isOptional: false)
    case .optionalCondition(let condition, let presence):
      let truth = SQLExpression.idiom(.truth(try condition.exactTest().twoValued))
      return ScalarTerm(presence.guarding(truth), .bool, isOptional: true)
    case .constant(let value):
      guard let value else {
        guard case .scalar(let scalar)? = other else { throw Untranslatable("nil is compared with no single value") }
        return ScalarTerm(.value(.null), scalar.kind, isOptional: true)
      }
      let kind: ScalarKind
      if case .scalar(let scalar)? = other {
        kind = scalar.kind
      } else {
        kind = ScalarKind(valueType: type(of: value))
      }
      return ScalarTerm(.value(try context.encode(value, as: kind)), kind, isOptional: false)
    case .composite, .object, .model, .identifier, .transaction, .collection, .range:
      throw Untranslatable("a single value is expected")
    }
  }
}
