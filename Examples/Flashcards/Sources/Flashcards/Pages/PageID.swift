import Foundation

/// The `id` attributes of elements that patches change.
enum PageID {
  static let cards = "cards"
  static let tail = "tail"
  static let importDeck = "import-deck"

  static func section(_ deck: UUID) -> String { "deck-\(deck)" }
  static func head(_ deck: UUID) -> String { "head-\(deck)" }
  static func list(_ deck: UUID) -> String { "list-\(deck)" }
  static func card(_ card: UUID) -> String { "card-\(card)" }
}
