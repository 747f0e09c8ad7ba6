import Relational

/// A condition as far as SQL can evaluate it: which rows certainly meet it, and which possibly do.
///
/// Untranslated parts make the two differ, so that the rest can be evaluated in memory: rows that certainly do not match are
/// never fetched, and no possible match is left out, even below negations.
struct Condition {
  enum Truth: Equatable {
    case always(Bool)
    case test(SQLTest)
  }

  private(set) var certain: Truth
  private(set) var possible: Truth
  private(set) var isExact: Bool

  private init(_ truth: Truth) {
    certain = truth
    possible = truth
    isExact = true
  }

  private init(certain: Truth, possible: Truth) {
    // If nothing is possible or everything is certain, the untranslated parts do not matter.
    isExact = possible == .always(false) || certain == .always(true)
    self.certain = isExact && possible == .always(false) ? possible : certain
    self.possible = isExact ? self.certain : possible
  }

  static let unknown = Condition(certain: .always(false), possible: .always(true))

  static func always(_ truth: Bool) -> Condition {
    Condition(.always(truth))
  }

  static func exact(_ test: SQLTest) -> Condition {
    Condition(.test(test))
  }

  /// The result if it is the same for all rows.
  var constant: Bool? {
    if isExact, case .always(let truth) = possible { truth } else { nil }
  }

  /// The condition as one test, if it is translated completely.
  func exactTest() throws -> SQLTest {
    guard isExact else { throw Untranslatable("a part of it has no translation") }
    switch possible {
    case .always(false): return .never
    case .always(true): return SQLTest(.value(.integer(1)))
    case .test(let test): return test
    }
  }

  func negated() -> Condition {
    isExact
      ? Condition(possible.negated) : Condition(certain: possible.negated, possible: certain.negated)
  }

  func and(_ other: Condition) -> Condition {
    combined(with: other) { $0.and($1) }
  }

  func or(_ other: Condition) -> Condition {
    combined(with: other) { $0.or($1) }
  }

  private func combined(with other: Condition, _ combine: (Truth, Truth) -> Truth) -> Condition {
    isExact && other.isExact
      ? Condition(combine(possible, other.possible))
      : Condition(certain: combine(certain, other.certain), possible: combine(possible, other.possible))
  }

  /// The condition with wider tests in place of some, which then are only possible.
  ///
  /// - Parameter widen: Returns the wider test; nil for a test that stays.
  func limited(_ widen: (SQLTest) throws -> SQLTest?) rethrows -> Condition {
    var possible = possible
    if case .test(let test) = possible, let wider = try widen(test) { possible = .test(wider) }
    var certain = certain
    // A test that is only possible is not certain.
    if case .test(let test) = certain, try widen(test) != nil { certain = .always(false) }
    return self.possible == possible && self.certain == certain ? self : Condition(certain: certain, possible: possible)
  }

  func map(_ transform: (Truth) throws -> Truth) rethrows -> Condition {
    isExact
      ? Condition(try transform(possible))
      : Condition(certain: try transform(certain), possible: try transform(possible))
  }
}

extension Condition.Truth {
  var negated: Condition.Truth {
    switch self {
    case .always(let truth): .always(!truth)
    case .test(let test): .test(test.negated)
    }
  }

  func and(_ other: Condition.Truth) -> Condition.Truth {
    switch (self, other) {
    case (.always(false), _), (_, .always(false)): .always(false)
    case (.always(true), let rest), (let rest, .always(true)): rest
    case (.test(let left), .test(let right)): .test(left.and(right))
    }
  }

  func or(_ other: Condition.Truth) -> Condition.Truth {
    switch (self, other) {
    case (.always(true), _), (_, .always(true)): .always(true)
    case (.always(false), let rest), (let rest, .always(false)): rest
    case (.test(let left), .test(let right)): .test(left.or(right))
    }
  }
}
