import SwiftData

extension DocumentType {
  /// A document of decks and cards. It cannot be reverted: pages offer undo.
  static let flashcards = {
    var type = DocumentType(
      "org.openswiftdata.flashcards", filenameExtension: "flashcards", for: Deck.self, Card.self)
    type.keepsLastSave = false
    return type
  }()
}
