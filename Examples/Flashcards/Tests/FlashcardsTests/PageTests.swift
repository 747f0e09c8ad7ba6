import Foundation
import HummingbirdTesting
import SwiftData
import Testing

@testable import Flashcards

@MainActor
@Suite("Pages")
struct PageTests {
  let test: TestServer

  init() throws {
    test = try TestServer()
  }

  @Test("Cards are in their decks' sections, in the order of their dates")
  func sections() throws {
    let content = try test.server.feeds.content(PageQuery())
    #expect(content.sections.map(\.deck.name) == ["Capitals", "Spanish"])
    #expect(content.sections.map(\.count) == [3, 3])
    let expected = [
      try test.keys("Portugal", "Kenya", "New Zealand"), try test.keys("la manzana", "el libro", "la ventana"),
    ]
    #expect(content.sections.map { $0.cards.map(\.key) } == expected)
  }

  @Test("The window limits the cards, and the counts include all cards")
  func window() async throws {
    let content = try test.server.feeds.content(PageQuery(limit: 4))
    #expect(content.sections.map(\.cards.count) == [3, 1])
    #expect(content.sections.map(\.count) == [3, 3])
    #expect(content.hasMore)
    #expect(try !test.server.feeds.content(PageQuery(limit: 6)).hasMore)
  }

  @Test(
    "A search finds cards by their fronts and backs",
    arguments: [("KENYA", ["Kenya"]), ("libro", ["el libro"]), ("wellington", ["New Zealand"]), ("%", [])])
  func search(text: String, fronts: [String]) throws {
    let content = try test.server.feeds.content(PageQuery(search: text))
    #expect(try content.sections.flatMap(\.cards).map(\.key) == fronts.map { try test.card($0).key })
  }

  @Test("A page without decks and a search without results show a hint")
  func empty() async throws {
    try await test.test { [test] client in
      #expect(try await client.page("/?search=xyz").contains("No card has “xyz” on its front or back."))
      for name in ["Capitals", "Spanish"] { try await client.post("/decks/\(try test.deck(name).key)/delete") }
      #expect(try await client.page().contains("Your first deck"))
    }
  }
}

extension TestServer {
  fileprivate func keys(_ fronts: String...) throws -> [UUID] { try fronts.map { try card($0).key } }
}
