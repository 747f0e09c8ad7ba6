/// A query whose results are followed. All are sorted by position.
package enum LiveQuery: Equatable, Sendable {
  package static let limit = 50
  package static let wordCount = 1_000

  /// Those of an owner.
  case owner(Int)
  /// Those whose text contains the label of a word.
  case word(Int)
  case all
  /// The first of those of an owner and all later ones.
  case first(fromOwner: Int)
  /// Those of an owner except the one at a position, which there is not: no two queries need to be equal.
  case others(owner: Int, position: Int)

  /// The numbers of the rows that the results should have.
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
