import Foundation
import SwiftData
import Testing

// Declarations of a sample application of flash cards beside its views, as for Apple's platforms: the model, the query of its
// list, the container of a scene and the actions of its views.

@Model
final class SampleCard {
  var front: String
  var back: String
  var creationDate: Date

  init(front: String, back: String, creationDate: Date = .now) {
    self.front = front
    self.back = back
    self.creationDate = creationDate
  }
}

extension SampleCard: Identifiable {}

extension SampleCard: Hashable {
  static func == (lhs: SampleCard, rhs: SampleCard) -> Bool {
    lhs.front == rhs.front && lhs.back == rhs.back && lhs.creationDate == rhs.creationDate
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(front)
    hasher.combine(back)
    hasher.combine(creationDate)
  }
}

/// The state of the sample's list, without its view.
@MainActor
struct SampleCardList {
  @Query(sort: \SampleCard.creationDate) private var cards: [SampleCard]

  var fronts: [String] { cards.map(\.front) }

  func add(to modelContext: ModelContext) {
    let card = SampleCard(front: "Sample Front", back: "Sample Back")
    modelContext.insert(card)
  }

  func delete(_ index: Int, from modelContext: ModelContext) {
    modelContext.delete(cards[index])
  }
}

@Suite("A sample of flash cards")
@MainActor
struct FlashcardSampleTests {
  static let type = DocumentType("com.example.flashcards", filenameExtension: "sampledeck", for: SampleCard.self)

  @Test("The sample's model, query and actions work with a container")
  func container() async throws {
    let container = try ModelContainer(
      for: SampleCard.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    await check(container)
  }

  @Test("The sample's model, query and actions work with a document")
  func document() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sampledeck")
    let document = try PersistentDocument(creatingAt: url, type: Self.type)
    await check(document.modelContainer)
    #expect(document.isEdited)
    try document.erase()
  }

  private func check(_ container: ModelContainer) async {
    await withModelContainer(container) {
      let list = SampleCardList()
      list.add(to: container.mainContext)
      #expect(list.fronts == ["Sample Front"])
      list.delete(0, from: container.mainContext)
      // A query contains a deleted model until the end of the event.
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
      #expect(list.fronts == [])
      list.add(to: container.mainContext)
    }
  }
}
