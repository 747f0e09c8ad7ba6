import Foundation
import SwiftData

@Model
final class Deck {
  @Attribute(.unique) var name: String
  var created: Date
  /// The key in URLs and pages. It survives an undone deletion, after which the row has another identifier.
  var key: UUID
  @Relationship(deleteRule: .cascade, inverse: \Card.deck) var cards: [Card] = []

  init(name: String, created: Date = .now) {
    self.name = name
    self.created = created
    key = UUID()
  }
}

@Model
final class Card {
  #Index<Card>([\.key], [\.due])

  var front: String
  var back: String
  var creationDate: Date
  /// The number of consecutive known answers. The higher, the later the card is due again.
  var box: Int
  var due: Date
  /// The key in URLs and pages.
  var key: UUID
  var deck: Deck?

  init(front: String, back: String, creationDate: Date = .now) {
    self.front = front
    self.back = back
    self.creationDate = creationDate
    box = 0
    due = creationDate
    key = UUID()
  }
}
