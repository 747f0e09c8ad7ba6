import Foundation
import SwiftData

/// The cards that a page shows.
struct PageQuery: Hashable, Sendable {
  static let step = 100
  private static let maximum = 20_000

  let search: String
  /// The maximum number of cards.
  let limit: Int

  init(search: String? = nil, limit: Int? = nil) {
    self.search = CardText.normalized(search ?? "")
    self.limit = min(max(limit ?? Self.step, 1), Self.maximum)
  }

  var next: PageQuery? { limit < Self.maximum ? PageQuery(search: search, limit: limit + Self.step) : nil }

  private var predicate: Predicate<Card>? {
    if search.isEmpty { return nil }
    let text = search
    return #Predicate {
      $0.front.localizedStandardContains(text) || $0.back.localizedStandardContains(text)
    }
  }

  /// The cards by decks, and the cards of a deck by their dates.
  var cards: FetchDescriptor<Card> {
    var descriptor = FetchDescriptor<Card>(
      predicate: predicate, sortBy: [SortDescriptor(\.deck?.name), SortDescriptor(\.creationDate)])
    descriptor.fetchLimit = limit
    descriptor.relationshipKeyPathsForPrefetching = [\.deck]
    return descriptor
  }

  static var decks: FetchDescriptor<Deck> { FetchDescriptor(sortBy: [SortDescriptor(\.name)]) }

  /// The number of matching cards of each deck, by the decks' keys, in one statement.
  func counts(_ context: ModelContext) throws -> [UUID: Int] {
    let groups = try context.fetchGroups(
      by: \Card.deck?.key, computing: .count, matching: FetchDescriptor<Card>(predicate: predicate))
    return Dictionary(groups.compactMap { group in group.key.map { ($0, group.value) } }) { $1 }
  }
}
