import Foundation

/// The main part of a page, rendered in parts that can be replaced.
struct PageContent: Hashable {
  struct Card: Hashable {
    let key: UUID
    let deck: UUID
    let html: HTML
  }

  struct DeckHeading: Hashable {
    let key: UUID
    let name: String
  }

  struct Section: Hashable {
    let deck: DeckHeading
    let count: Int
    let cards: [Card]
  }

  let query: PageQuery
  let sections: [Section]
  /// All decks, for the selection of one to import into.
  let decks: [DeckHeading]
  let hasMore: Bool

  /// - Parameters:
  ///   - decks: All decks, in the order of the page.
  ///   - cards: The cards inside of the window.
  ///   - counts: The number of matching cards in each deck.
  init(_ query: PageQuery, decks: [DeckHeading], cards: [Card], counts: [UUID: Int]) {
    self.query = query
    self.decks = decks
    let byDeck = Dictionary(grouping: cards, by: \.deck)
    sections = decks.compactMap { deck in
      let cards = byDeck[deck.key] ?? []
      // The counts are updated shortly after the cards.
      let count = max(counts[deck.key] ?? 0, cards.count)
      if count == 0, !query.search.isEmpty { return nil }
      return Section(deck: deck, count: count, cards: cards)
    }
    hasMore = sections.reduce(0) { $0 + $1.count } > cards.count && query.next != nil
  }

  /// Identifies the content in events: a page that already has it needs no update. It differs between runs of the program.
  var identifier: String { String(UInt(bitPattern: hashValue), radix: 36) }
}
