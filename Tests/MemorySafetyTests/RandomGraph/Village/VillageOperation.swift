@testable import TestSupport

/// One step of the random test with several contexts.
///
/// Its seed selects the operands among the present models, so that a step means something after any other step.
struct VillageOperation: CustomStringConvertible {
  enum Action: String {
    case insert
    case setField
    case setLink
    case append
    case removeMember
    case replaceAll
    case delete
    case deleteWhere
    case save
    case rollback
    case fetch
    case touch
    case forget
    case refresh
    case outsideIdentifier
    case ghost
    case newContext

    var isChange: Bool {
      switch self {
      case .insert, .setField, .setLink, .append, .removeMember, .replaceAll, .delete, .deleteWhere: true
      default: false
      }
    }
  }

  /// Actions and their relative frequencies.
  static let weights: [(Action, Int)] = [
    (.insert, 16), (.setField, 8), (.setLink, 18), (.append, 14), (.removeMember, 6), (.replaceAll, 5), (.delete, 5),
    (.deleteWhere, 1), (.save, 8), (.rollback, 5), (.fetch, 3), (.touch, 6), (.forget, 2), (.refresh, 4),
    (.outsideIdentifier, 2), (.ghost, 1), (.newContext, 1),
  ]

  var action: Action
  var seed: UInt64
  /// The context that acts.
  var side: Int

  var description: String { "\(action.rawValue) in \(side)" }

  static func random(_ count: Int, sides: Int, using random: inout SeededGenerator) -> [VillageOperation] {
    let actions = weights.flatMap { action, weight in Array(repeating: action, count: weight) }
    return (0..<count).map { _ in
      VillageOperation(
        action: actions[Int.random(in: 0..<actions.count, using: &random)], seed: random.next(),
        side: Int.random(in: 0..<sides, using: &random))
    }
  }
}
