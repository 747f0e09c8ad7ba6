import Foundation
import SwiftData

extension OpenDocument {
  // MARK: Decks

  func addDeck(named name: String) throws {
    let name = try CardText.deckName(name)
    try requireFreeName(name)
    try change("Add Deck") { context.insert(Deck(name: name)) }
  }

  /// - Parameter base: The name before the edit; nil to rename in any case.
  func renameDeck(_ key: UUID, to name: String, base: String?) throws {
    let deck = try deck(key)
    let name = try CardText.deckName(name)
    try requireBase(base, deck.name, field: "name")
    if deck.name == name { return }
    try requireFreeName(name)
    try change("Rename Deck") { deck.name = name }
  }

  func deleteDeck(_ key: UUID) throws {
    let deck = try deck(key)
    try change("Delete Deck") { context.delete(deck) }
  }

  // MARK: Cards

  func addCard(to deck: UUID, front: String, back: String) throws {
    let deck = try self.deck(deck)
    let front = try CardText.side(front, field: "front")
    let back = try CardText.side(back, field: "back")
    try change("Add Card") {
      let card = Card(front: front, back: back)
      context.insert(card)
      card.deck = deck
    }
  }

  /// - Parameter base: The text before the edit.
  /// - Throws: ``CardError/changed(field:value:)`` when the card's text has changed since.
  func editCard(_ key: UUID, _ side: CardSide, to text: String, base: String?) throws {
    let card = try card(key)
    let text = try CardText.side(text, field: side.rawValue)
    try requireBase(base, card[keyPath: side.keyPath], field: side.rawValue)
    if card[keyPath: side.keyPath] == text { return }
    try change("Edit Card") { card[keyPath: side.keyPath] = text }
  }

  func deleteCard(_ key: UUID) throws {
    let card = try card(key)
    try change("Delete Card") { context.delete(card) }
  }

  // MARK: Look-ups

  func deck(_ key: UUID) throws -> Deck {
    var descriptor = FetchDescriptor<Deck>(predicate: #Predicate { $0.key == key })
    descriptor.fetchLimit = 1
    guard let deck = try context.fetch(descriptor).first else { throw CardError.gone("deck") }
    return deck
  }

  func card(_ key: UUID) throws -> Card {
    var descriptor = FetchDescriptor<Card>(predicate: #Predicate { $0.key == key })
    descriptor.fetchLimit = 1
    guard let card = try context.fetch(descriptor).first else { throw CardError.gone("card") }
    return card
  }

  /// Without this check the save would update the existing deck of that name.
  private func requireFreeName(_ name: String) throws {
    let descriptor = FetchDescriptor<Deck>(predicate: #Predicate { $0.name == name })
    if try context.fetchCount(descriptor) > 0 {
      throw CardError.invalid(field: "name", "There is a deck “\(name)” already. Choose another name.")
    }
  }

  private func requireBase(_ base: String?, _ value: String, field: String) throws {
    guard let base, CardText.normalized(base) != value else { return }
    throw CardError.changed(field: field, value: value)
  }
}

/// The two texts of a card.
enum CardSide: String, CaseIterable {
  case front
  case back

  var keyPath: ReferenceWritableKeyPath<Card, String> {
    switch self {
    case .front: \.front
    case .back: \.back
    }
  }
}
