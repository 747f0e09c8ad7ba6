import Foundation
import HummingbirdTesting
import Testing

@testable import Flashcards

@MainActor
@Suite("Study")
struct StudyTests {
  let test: TestServer
  private var document: OpenDocument { test.server.document }

  init() throws {
    test = try TestServer()
  }

  @Test("A card with a known answer is due after one day, then after two")
  func known() throws {
    let (card, now) = (try test.card("Kenya"), Date.now)
    try document.answer(card.key, .good, at: now)
    #expect(card.due == now.addingTimeInterval(86_400))
    try document.answer(card.key, .good, at: now)
    #expect(card.due == now.addingTimeInterval(2 * 86_400))
    try document.answer(card.key, .again, at: now)
    #expect(card.due == now && card.box == 0)
  }

  @Test("Cards with an unknown answer come again after all others")
  func order() throws {
    let (deck, now) = (try test.deck("Capitals").key, Date.now)
    var asked: [String] = []
    while let question = try document.study(deck, at: now.addingTimeInterval(Double(asked.count))).question {
      let answer: StudyAnswer = asked.isEmpty ? .again : .good
      try document.answer(question.key, answer, at: now.addingTimeInterval(Double(asked.count)))
      asked.append(question.front)
    }
    #expect(asked == ["Portugal", "Kenya", "New Zealand", "Portugal"])
    #expect(try document.study(nil).remaining == 3)
  }

  @Test("The page shows one card, and when the next one is due")
  func page() async throws {
    try await test.test { [test] client in
      let path = "/study?deck=\(try test.deck("Capitals").key)"
      #expect(try await client.page(path).contains("3 to go"))
      for front in ["Portugal", "Kenya", "New Zealand"] {
        #expect(try await client.page(path).contains("<div id=\"question\">\(front)</div>"))
        try await client.post("/cards/\(try test.card(front).key)/answer", ["answer": "good"])
      }
      #expect(try await client.page(path).contains("The next one is due tomorrow."))
      #expect(try await client.get("/study?deck=\(UUID())").status == .notFound)
    }
  }
}
