import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum FlashcardsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Deck.self, Card.self] }

  @Model
  final class Deck {
    var name: String

    init(name: String) { self.name = name }
  }

  @Model
  final class Card {
    var front: String
    var back: String

    init(front: String, back: String) {
      self.front = front
      self.back = back
    }
  }
}

enum FlashcardsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FlashcardsV1.self] }
  static var stages: [MigrationStage] { [] }
}

#if !canImport(Darwin)
  extension DocumentType {
    static let flashcards = DocumentType(
      "com.example.flashcards", filenameExtension: "flashcards", migrationPlan: FlashcardsPlan.self)
  }

  enum DocumentsGuide {
    typealias Deck = FlashcardsV1.Deck
    typealias Card = FlashcardsV1.Card

    @MainActor
    static func edit(_ url: URL) throws {
      let document = try PersistentDocument(creatingAt: url, type: .flashcards) { context in
        context.insert(Deck(name: "Spanish"))
      }
      document.modelContext.insert(Card(front: "sí", back: "yes"))
      document.undoManager?.undo()
      try document.save()
      try document.close()
    }

    @MainActor
    static func view(_ url: URL) throws {
      let document = try PersistentDocument(openingAt: url, type: .flashcards, for: .viewing)
      print(document.displayName)
    }
  }
#endif
