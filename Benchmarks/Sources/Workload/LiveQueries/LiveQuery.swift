/// A query whose results are followed, sorted by position.
package enum LiveQuery: Equatable, Sendable {
  package static let limit = 50
  package static let wordCount = 1_000

  /// The rows of an owner.
  case owner(Int)
  /// The rows whose text contains the label of a word.
  case word(Int)
  case all
  /// The first rows from an owner on.
  case first(fromOwner: Int)
  /// The rows of an owner except one at an unused position, so that all queries differ.
  case others(owner: Int, position: Int)

  /// The numbers of the rows in the expected results.
  package func numbers(of rows: [LiveSeed]) -> [Int] {
    let selected = rows.filter(includes).sorted { $0.position < $1.position }.map(\.number)
    if case .first = self { return Array(selected.prefix(Self.limit)) }
    return selected
  }

  private func includes(_ row: LiveSeed) -> Bool {
    switch self {
    case .owner(let owner): row.owner == owner
    case .word(let word): row.text.contains(LiveSeed.label(ofWord: word))
    case .all: true
    case .first(let owner): row.owner >= owner
    case .others(let owner, let position): row.owner == owner && row.position != position
    }
  }
}
