import Foundation
import SwiftData

/// The contents of a new document.
enum Sample {
  private static let decks = [
    ("Spanish", [("la manzana", "the apple"), ("el libro", "the book"), ("la ventana", "the window")]),
    ("Capitals", [("Portugal", "Lisbon"), ("Kenya", "Nairobi"), ("New Zealand", "Wellington")]),
  ]

  static func insert(into context: ModelContext, at date: Date = .now) throws {
    var date = date
    for (name, cards) in decks {
      let deck = Deck(name: name, created: date)
      context.insert(deck)
      for (front, back) in cards {
        // The cards of a deck are sorted by their dates.
        date += 0.001
        let card = Card(front: front, back: back, creationDate: date)
        context.insert(card)
        card.deck = deck
      }
    }
    try context.save()
  }
}
