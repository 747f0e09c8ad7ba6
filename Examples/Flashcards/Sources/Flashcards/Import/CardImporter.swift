import Foundation
import SwiftData

/// Inserts the cards of a file in its own context, so that the main actor stays free.
///
/// The main context merges the cards after each save. Its undo manager does not record them.
@ModelActor
actor CardImporter {
  static let batchSize = 1000

  /// Saves the cards in batches. When the task is cancelled or a save fails, the saved cards are deleted again.
  ///
  /// - Parameter progress: Called with the number of saved cards.
  func insert(
    _ entries: [CardFile.Entry], intoDeck key: UUID, progress: @Sendable (Int) async -> Void
  ) async throws {
    var inserted: [PersistentIdentifier] = []
    let start = Date.now
    do {
      while inserted.count < entries.count {
        try Task.checkCancellation()
        let next = min(inserted.count + Self.batchSize, entries.count)
        inserted += try insert(entries, inserted.count..<next, intoDeck: key, start)
        await progress(inserted.count)
      }
      try Task.checkCancellation()
    } catch {
      modelContext.rollback()
      try remove(inserted)
      // The deck may have been deleted between its fetch and the save, which fails then.
      if error is SwiftDataError, try deck(key) == nil { throw CardError.gone("deck") }
      throw error
    }
  }

  private func deck(_ key: UUID) throws -> Deck? {
    try modelContext.fetch(FetchDescriptor<Deck>(predicate: #Predicate { $0.key == key })).first
  }

  private func insert(
    _ entries: [CardFile.Entry], _ range: Range<Int>, intoDeck key: UUID, _ start: Date
  ) throws -> [PersistentIdentifier] {
    guard let deck = try deck(key) else { throw CardError.gone("deck") }
    let cards = range.map { number in
      // The order of the dates is the order of the file.
      let card = Card(
        front: entries[number].front, back: entries[number].back,
        creationDate: start.addingTimeInterval(Double(number) / 1_000_000))
      modelContext.insert(card)
      card.deck = deck
      return card
    }
    try modelContext.save()
    return cards.map(\.persistentModelID)
  }

  private func remove(_ identifiers: [PersistentIdentifier]) throws {
    for start in stride(from: 0, to: identifiers.count, by: Self.batchSize) {
      for identifier in identifiers[start..<min(start + Self.batchSize, identifiers.count)] {
        if let card = self[identifier, as: Card.self] { modelContext.delete(card) }
      }
      try modelContext.save()
    }
  }
}
