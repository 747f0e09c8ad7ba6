import Foundation
import SwiftData

/// Whether the user knew the answer.
enum StudyAnswer: String {
  case again
  case good
}

/// The content of a study page.
struct StudyContent {
  struct Question {
    let key: UUID
    let front: String
    let back: String
    let deck: String
  }

  /// The name of the deck; nil for all decks.
  var deckName: String?
  var deckKey: UUID?
  /// Nil when no card is due.
  var question: Question?
  var remaining: Int
  /// When the next card is due; nil without cards.
  var nextDue: Date?
}

extension OpenDocument {
  func study(_ deckKey: UUID?, at now: Date = .now) throws -> StudyContent {
    let deck = try deckKey.map(deck)
    // Without an optional key in one condition, so that the query without a deck uses the index of the dates.
    var due = FetchDescriptor<Card>(
      predicate: deckKey == nil
        ? #Predicate { $0.due <= now } : #Predicate { $0.due <= now && $0.deck?.key == deckKey },
      sortBy: [SortDescriptor(\.due), SortDescriptor(\.creationDate)])
    let remaining = try context.fetchCount(due)
    due.fetchLimit = 1
    let card = try context.fetch(due).first
    var all = FetchDescriptor<Card>(sortBy: [SortDescriptor(\.due)])
    if deckKey != nil { all.predicate = #Predicate { $0.deck?.key == deckKey } }
    all.fetchLimit = 1
    return StudyContent(
      deckName: deck?.name, deckKey: deckKey,
      question: card.map {
        StudyContent.Question(key: $0.key, front: $0.front, back: $0.back, deck: $0.deck?.name ?? "")
      },
      remaining: remaining,
      nextDue: card == nil ? try context.fetch(all).first?.due : nil)
  }

  /// A card whose answer was known is due after one day, then after two, four, up to 64. Other cards come again after all due
  /// cards.
  func answer(_ key: UUID, _ answer: StudyAnswer, at now: Date = .now) throws {
    let card = try card(key)
    try change("Answer") {
      switch answer {
      case .again:
        card.box = 0
        card.due = now
      case .good:
        card.due = now.addingTimeInterval(Double(1 << min(card.box, 6)) * 86_400)
        card.box += 1
      }
    }
  }
}
