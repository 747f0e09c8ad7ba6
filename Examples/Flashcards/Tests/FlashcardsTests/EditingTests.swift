import Foundation
import HummingbirdTesting
import Testing

@testable import Flashcards

@MainActor
@Suite("Editing")
struct EditingTests {
  let test: TestServer

  init() throws {
    test = try TestServer()
  }

  @Test("Decks are added, renamed and deleted with their cards")
  func decks() async throws {
    try await test.test { [test] client in
      #expect(try await client.post("/decks", ["name": "  History "]).status == .noContent)
      #expect(try test.deckNames() == ["Capitals", "History", "Spanish"])
      let key = try test.deck("Capitals").key
      #expect(try await client.post("/decks/\(key)", ["name": "Cities"]).status == .noContent)
      #expect(try test.fronts("Cities").count == 3)
      #expect(try await client.post("/decks/\(key)/delete").status == .noContent)
      #expect(try test.deckNames() == ["History", "Spanish"])
      #expect(try await client.post("/decks/\(key)/delete").status == .notFound)
    }
  }

  @Test("Cards are added, edited and deleted")
  func cards() async throws {
    try await test.test { [test] client in
      let deck = try test.deck("Spanish").key.uuidString
      let response = try await client.post("/cards", ["deck": deck, "front": "uno\r\ndos", "back": "one + two"])
      #expect(response.status == .noContent)
      #expect(try test.fronts("Spanish").last == "uno\ndos")
      let card = try test.card("uno\ndos")
      #expect(card.back == "one + two")
      #expect(try await client.post("/cards/\(card.key)", ["front": "uno", "base": "uno\r\ndos"]).status == .noContent)
      #expect(card.front == "uno")
      #expect(try await client.post("/cards/\(card.key)/delete").status == .noContent)
      #expect(try test.fronts("Spanish").count == 3)
      #expect(try await client.post("/cards/\(card.key)", ["front": "x"]).status == .notFound)
    }
  }

  @Test("Two pages that edit both fields of a card keep both texts")
  func bothFields() async throws {
    try await test.test { [test] client in
      let card = try test.card("Kenya")
      let path = "/cards/\(card.key)"
      async let front = client.post(path, ["front": "KENYA", "base": "Kenya"])
      async let back = client.post(path, ["back": "NAIROBI", "base": "Nairobi"])
      #expect(try await [front.status, back.status] == [.noContent, .noContent])
      #expect([card.front, card.back] == ["KENYA", "NAIROBI"])
    }
  }

  @Test("The second of two concurrent edits of a field is refused, with the text of the first")
  func conflict() async throws {
    try await test.test { [test] client in
      let path = "/cards/\(try test.card("Kenya").key)"
      try await client.post(path, ["back": "first", "base": "Nairobi"])
      let refused = try await client.post(path, ["back": "second", "base": "Nairobi"])
      #expect(refused.status == .conflict)
      #expect(try refused.json["field"] == "back")
      #expect(try refused.json["value"] == "first")
      #expect(try await client.post(path, ["back": "second", "base": "first"]).status == .noContent)
      #expect(try test.card("Kenya").back == "second")
    }
  }

  @Test(
    "A text of a card has 1 to 2,000 characters",
    arguments: [
      ("", false), (" \n\0", false), ("😀", true), (String(repeating: "ß", count: 2000), true),
      (String(repeating: "x", count: 2001), false), ("x" + String(repeating: "\u{301}", count: 70_000), false),
    ])
  func limits(text: String, isTaken: Bool) async throws {
    try await test.test { [test] client in
      let deck = try test.deck("Spanish").key.uuidString
      let response = try await client.post("/cards", ["deck": deck, "front": text, "back": "b"])
      #expect(response.status == (isTaken ? .noContent : .unprocessableContent))
      if !isTaken { #expect(try response.json["field"] == "front") }
      #expect(try test.fronts("Spanish").count == (isTaken ? 4 : 3))
    }
  }

  @Test(
    "A deck's name is unique and has 1 to 100 characters",
    arguments: ["", "Capitals", String(repeating: "x", count: 101)])
  func names(name: String) async throws {
    try await test.test { [test] client in
      let key = try test.deck("Spanish").key
      for path in ["/decks", "/decks/\(key)"] {
        let response = try await client.post(path, ["name": name])
        #expect(response.status == .unprocessableContent)
        #expect(try response.json["field"] == "name")
      }
      #expect(try test.deckNames() == ["Capitals", "Spanish"])
    }
  }

  @Test("Each change is one undo step")
  func undo() async throws {
    try await test.test { [test] client in
      try await client.post("/undo")
      #expect(try test.fronts("Capitals").count == 3)
      try await client.post("/cards/\(try test.card("Kenya").key)", ["front": "A"])
      try await client.post("/cards/\(try test.card("A").key)", ["front": "B"])
      try await client.post("/decks/\(try test.deck("Capitals").key)/delete")
      #expect(test.server.document.state.undo == "Undo Delete Deck")
      try await client.post("/undo")
      #expect(try test.fronts("Capitals") == ["Portugal", "B", "New Zealand"])
      try await client.post("/undo")
      #expect(try test.fronts("Capitals") == ["Portugal", "A", "New Zealand"])
      try await client.post("/redo")
      #expect(try test.fronts("Capitals") == ["Portugal", "B", "New Zealand"])
      #expect(!test.context.hasChanges)
    }
  }

  @Test("A save that fails changes nothing, and reports that to the user")
  func failingSave() async throws {
    try await test.test { [test] client in
      let deck = try test.deck("Spanish").key.uuidString
      let elsewhere = test.url.appendingPathExtension("moved")
      try FileManager.default.moveItem(at: test.url, to: elsewhere)
      let response = try await client.post("/cards", ["deck": deck, "front": "lost", "back": "b"])
      #expect(response.status == .internalServerError)
      #expect(try response.json["message"] == "The document was moved or deleted. Nothing was changed.")
      try FileManager.default.moveItem(at: elsewhere, to: test.url)
      #expect(try test.fronts("Spanish").count == 3)
      try await client.post("/cards", ["deck": deck, "front": "kept", "back": "b"])
      #expect(try test.fronts("Spanish").last == "kept")
    }
  }

  @Test("A document is marked as edited from its first change until it is saved")
  func edited() async throws {
    try await test.test { [test] client in
      #expect(!test.server.document.state.isEdited)
      try await client.post("/decks", ["name": "New"])
      #expect(test.server.document.state.isEdited)
      try await client.post("/save")
      #expect(!test.server.document.state.isEdited)
    }
  }
}
