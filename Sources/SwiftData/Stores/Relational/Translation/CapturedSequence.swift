import Relational

/// Captured collections, of any size, in which a value of each row is looked for.
enum CapturedSequence {
  static func elements(_ sequence: any Sequence) -> [Any?] {
    func open<Elements: Sequence>(_ elements: Elements) -> [Any?] { elements.map { flattened($0) } }
    return open(sequence)
  }

  static func contains(_ elements: [Any?], _ member: Term, _ context: TranslationContext) throws -> Condition {
    let values = elements.compactMap { $0 }
    let isElement = try isOne(of: values, member, context)
    guard values.count < elements.count else { return isElement }
    return try Equality.isNil(member, context).or(isElement)
  }

  private static func isOne(of values: [Any], _ member: Term, _ context: TranslationContext) throws -> Condition {
    if values.isEmpty { return .always(false) }
    switch member {
    case .scalar(let scalar):
      return try isOne(of: values, scalar, context)
    case .model(let model), .identifier(let model):
      return try CapturedModels.contains(values, model, context)
    default:
      throw Untranslatable("what is looked for is no single value")
    }
  }

  private static func isOne(
    of values: [Any], _ scalar: ScalarTerm, _ context: TranslationContext
  ) throws -> Condition {
    if scalar.kind.isText {
      let texts = values.compactMap { $0 as? String }
      guard texts.count == values.count else { throw Untranslatable("text is looked for in other values") }
      return .exact(TextComparison.isIn(scalar, texts))
    }
    var encoded = try values.map { try context.encode($0, as: scalar.kind) }
    if scalar.kind.hasUnequalNaN { encoded.removeAll { $0 == ColumnEncoding.notANumber } }
    if encoded.isEmpty { return .always(false) }
    return .exact(scalar.test { .isIn($0, encoded) })
  }
}
