import Foundation
import HummingbirdTesting
import SwiftData
import Testing

@testable import Flashcards

@MainActor
@Suite("Events", .timeLimit(.minutes(1)))
struct EventTests {
  let test: TestServer

  init() throws {
    test = try TestServer()
  }

  @Test("A page that already has the current content receives none")
  func seen() async throws {
    try await test.test { [test] client in
      let page = try await client.page()
      let version = try #require(page.firstMatch(of: /data-version="([^"]+)"/)?.1)
      #expect(try test.events(seen: String(version)).pending().map(\.name) == ["state"])
      #expect(try test.events(seen: "another").pending().map(\.name) == ["reload-content", "state"])
      #expect(try test.events().pending().first?.id == String(version))
    }
  }

  @Test("A page receives the changes of another request")
  func changes() async throws {
    try await test.test { [test] client in
      let events = try test.events()
      let (deck, card) = (try test.deck("Spanish").key, try test.card("el libro").key)
      try await client.post("/cards/\(card)", ["front": "la mesa"])
      #expect(try await events.next("state").data.contains("\"isEdited\":false"))
      #expect(try await events.next("state").data.contains("Undo Edit Card"))
      let edit = try await events.next("patch", with: "la mesa")
      #expect(edit.data.contains("\"op\":\"replace\"") && edit.data.contains("card-\(card)"))
      try await client.post("/cards", ["deck": deck.uuidString, "front": "nuevo", "back": "new"])
      let insertion = try await events.next("patch", with: "nuevo").data
      #expect(insertion.contains("\"op\":\"insert\"") && insertion.contains("\"into\":\"list-\(deck)\""))
      try await client.post("/cards/\(card)/delete")
      try await events.next("patch", with: "card-\(card)")
      try await client.post("/decks/\(deck)", ["name": "A first"])
      try await events.next("patch", with: "\"op\":\"move\"")
      try await client.post("/decks/\(deck)/delete")
      let removal = try await events.next("patch", with: "\"op\":\"remove\"")
      #expect(removal.data.contains("deck-\(deck)"))
    }
  }

  @Test("The count of a deck includes cards outside of the window")
  func counts() async throws {
    try await test.test { [test] client in
      let events = try test.events(PageQuery(limit: 1))
      let deck = try test.deck("Spanish").key.uuidString
      try await client.post("/cards", ["deck": deck, "front": "a", "back": "b"])
      let patch = try await events.next("patch", with: "4 cards")
      #expect(!patch.data.contains("card-"))
    }
  }

  @Test("Pages with the same search and window share a feed, which ends with the last page")
  func sharing() async throws {
    try await test.test { [test] client in
      let query = PageQuery(search: "a")
      let (first, second, other) = (try test.events(query), try test.events(query), try test.events())
      #expect(test.server.feeds.feeds.count == 2)
      let deck = try test.deck("Spanish").key.uuidString
      try await client.post("/cards", ["deck": deck, "front": "la casa", "back": "the house"])
      #expect(try await first.next("patch").data == second.next("patch").data)
      for events in [first, second, other] { events.close() }
      #expect(test.server.feeds.feeds.isEmpty)
    }
  }

  @Test("A page that reads too slowly receives the whole content, then further events")
  func slowness() async throws {
    let query = PageQuery()
    let stream = try test.server.feeds.open(query, seen: nil)
    _ = stream.take()
    let large = try ServerSentEvent("patch", id: "1", String(repeating: "x", count: EventStream.limit / 4))
    for _ in 0..<3 { stream.send(large) }
    #expect(stream.take() == large.text + large.text + large.text)
    for _ in 0..<9 { stream.send(large) }
    #expect(stream.take() == nil)
    let all = try test.server.feeds.takeAll(stream, query)
    #expect(all.contains("event: reload-content") && all.contains("event: state") && all.contains("Kenya"))
    stream.send(large)
    #expect(stream.take() == large.text)
  }

  @Test("A page receives the changes that another container saves")
  func otherContainer() async throws {
    try await test.test { [test] _ in
      let events = try test.events()
      let other = try ModelContainer(
        for: Deck.self, Card.self,
        configurations: ModelConfiguration(url: test.url.appending(path: "Contents.store")))
      try await other.perform { context in
        context.insert(Deck(name: "From elsewhere"))
        try context.save()
      }
      try await events.next("patch", with: "From elsewhere")
    }
  }
}
