import Foundation
import HummingbirdTesting
import SwiftData
import Testing

@testable import Flashcards

@MainActor
@Suite("Imports", .timeLimit(.minutes(1)))
struct ImportTests {
  let test: TestServer

  init() throws {
    test = try TestServer()
  }

  private static func file(_ count: Int) -> String {
    "front,back\r\n" + (0..<count).map { "front \($0),back \($0)\r\n" }.joined()
  }

  @Test("An import shows its progress, and its cards keep the order of the file")
  func progress() async throws {
    try await test.test { [test] client in
      // The last change of the content may come before the last progress: a reader of one skips the other.
      let (events, contents) = (try test.events(), try test.events())
      let deck = try test.deck("Capitals").key
      let response = try await client.send("/import?deck=\(deck)", Self.file(2500))
      #expect(response.status == .accepted)
      let id = try #require(try response.json["import"])
      for text in ["0", "1,000", "2,000", "2,500"] {
        let event = try await events.next("import").data
        #expect(event.contains("Importing \(text) of 2,500 cards") && event.contains(id))
      }
      #expect(try await events.next("import").data.contains("2,500 cards imported"))
      #expect(try test.fronts("Capitals") == ["Portugal", "Kenya", "New Zealand"] + (0..<2500).map { "front \($0)" })
      try await contents.next("patch", with: "2,503 cards")
    }
  }

  @Test("An import is not an undo step")
  func undo() async throws {
    try await test.test { [test] client in
      let events = try test.events()
      try await client.post("/cards/\(try test.card("Kenya").key)/delete")
      _ = try await client.send("/import?deck=\(try test.deck("Capitals").key)", Self.file(2))
      try await events.next("import", with: "2 cards imported")
      try await client.post("/undo")
      #expect(try test.fronts("Capitals") == ["Portugal", "Kenya", "New Zealand", "front 0", "front 1"])
    }
  }

  @Test("A cancelled import leaves no cards")
  func cancellation() async throws {
    let entries = try CardFile(Self.file(5000).utf8).entries
    let (container, deck) = (test.context.container, try test.deck("Capitals").key)
    let importing = Task {
      try await CardImporter(modelContainer: container).insert(entries, intoDeck: deck) { count in
        if count == 3000 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await importing.value }
    #expect(try test.fronts("Capitals") == ["Portugal", "Kenya", "New Zealand"])
  }

  @Test("A request cancels an import, and pages show that")
  func cancelRequest() async throws {
    try await test.test { [test] client in
      let events = try test.events()
      let deck = try test.deck("Capitals").key
      let response = try await client.send("/import?deck=\(deck)", Self.file(20_000))
      let id = try #require(try response.json["import"])
      #expect(try await client.send("/import?deck=\(deck)", "a,b").status == .conflict)
      #expect(try await client.post("/import/\(id)/cancel").status == .noContent)
      #expect(try await events.next("import", with: "Import cancelled").data.contains("\"isRunning\":false"))
      #expect(try await client.post("/import/\(id)/cancel").status == .notFound)
      #expect(try test.fronts("Capitals").count == 3)
    }
  }

  @Test("An import stops and leaves no cards when its deck is deleted")
  func deletedDeck() async throws {
    try await test.test { [test] client in
      let events = try test.events()
      let deck = try test.deck("Capitals").key
      _ = try await client.send("/import?deck=\(deck)", Self.file(20_000))
      // The first batch may be before its save, at its save, or saved.
      try await events.next("import", with: "of 20,000 cards")
      #expect(try await client.post("/decks/\(deck)/delete").status == .noContent)
      try await events.next("import", with: "the deck was deleted")
      #expect(try test.context.fetchCount(FetchDescriptor<Card>()) == 3)
    }
  }

  @Test("A file with an invalid row is refused as a whole", arguments: ["a,b\nc", "a,\"b", ""])
  func badRows(text: String) async throws {
    try await test.test { [test] client in
      let response = try await client.send("/import?deck=\(try test.deck("Capitals").key)", text)
      #expect(response.status == .unprocessableContent)
      #expect(try response.json["field"] == "file")
      #expect(try test.fronts("Capitals").count == 3)
    }
  }
}
