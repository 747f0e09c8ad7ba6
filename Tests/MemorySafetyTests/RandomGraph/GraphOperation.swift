@testable import TestSupport

/// One step of the random test.
///
/// The operands are taken modulo the number of choices, so that a step means something after any other step, and a sequence
/// stays valid when steps are removed.
struct GraphOperation: CustomStringConvertible {
  enum Action: String {
    case insert
    case insertLinked
    case setText
    case setNumber
    case setOne
    case append
    case remove
    case shuffle
    case replaceAll
    case delete
    case save
    case rollback
    case reopen
    case forget
    case fetch
    case readGone
  }

  /// Actions and their relative frequencies.
  static let weights: [(Action, Int)] = [
    (.insert, 12), (.insertLinked, 12), (.setText, 6), (.setNumber, 8), (.setOne, 14), (.append, 10), (.remove, 6),
    (.shuffle, 3), (.replaceAll, 3), (.delete, 6), (.save, 6), (.rollback, 2), (.reopen, 1), (.forget, 4), (.fetch, 4),
    (.readGone, 2),
  ]

  var action: Action
  var first: Int
  var second: Int
  var third: Int
  /// The context that acts, where there are two.
  var side: Int

  var description: String {
    "\(action.rawValue)(\(first), \(second), \(third), side \(side))"
  }

  static func random(_ count: Int, using random: inout SeededGenerator) -> [GraphOperation] {
    let actions = weights.flatMap { action, weight in Array(repeating: action, count: weight) }
    return (0..<count).map { _ in
      GraphOperation(
        action: actions[Int.random(in: 0..<actions.count, using: &random)],
        first: Int.random(in: 0..<5040, using: &random), second: Int.random(in: 0..<5040, using: &random),
        third: Int.random(in: 0..<5040, using: &random), side: Int.random(in: 0..<2, using: &random))
    }
  }
}
