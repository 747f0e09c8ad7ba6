import Relational

/// The SQL of all predicates of one shape.
struct PredicateTemplate: Sendable {
  private let condition: PreparedExpression?
  /// The captured value for each bound value of the condition; nil for constants.
  private let sources: [Int?]

  /// Nil if the captured value of a bound value in the SQL cannot be determined.
  ///
  /// Two translations with different probe values instead of the captured ones show where each of them is bound.
  ///
  /// - Parameter translate: Translates the predicate with a recorder.
  init?(
    _ dialect: any Dialect, _ first: CaptureRecorder, _ second: CaptureRecorder,
    _ translate: (CaptureRecorder) throws -> TranslatedPredicate
  ) throws {
    let (original, other) = (try translate(first), try translate(second))
    guard original.isExact, other.isExact, !first.isFolded, first.captured.count == second.captured.count,
      !zip(first.captured, second.captured).contains(where: ==)
    else { return nil }
    guard let expression = original.condition, let otherExpression = other.condition else {
      guard original.condition == nil, other.condition == nil else { return nil }
      condition = nil
      sources = []
      return
    }
    let (prepared, otherPrepared) = (dialect.prepare(expression), dialect.prepare(otherExpression))
    guard prepared.pieces == otherPrepared.pieces else { return nil }
    var indices: [Value: Int] = [:]
    for (index, value) in second.captured.enumerated() where indices.updateValue(index, forKey: value) != nil {
      return nil
    }
    var sources: [Int?] = []
    for (value, other) in zip(prepared.values, otherPrepared.values) {
      if let index = indices[other], first.captured[index] == value {
        sources.append(index)
      } else if value == other {
        sources.append(nil)
      } else {
        return nil
      }
    }
    condition = prepared
    self.sources = sources
  }

  /// The SQL for a predicate that captures some values.
  func filled(with captured: [Value]) -> TranslatedPredicate {
    guard var condition else { return TranslatedPredicate(condition: nil) }
    for (index, source) in sources.enumerated() {
      if let source { condition.values[index] = captured[source] }
    }
    return TranslatedPredicate(condition: .prepared(condition))
  }
}
