import Foundation
import Testing

@testable import Flashcards

/// Texts that would be markup without escaping.
let hostileTexts = [
  "<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "&lt;b&gt; &amp;",
  "</textarea></button><svg onload=x>",
  "e\u{301}<\u{338}b>", "]]><!--",
]

@Suite("Markup")
struct HTMLTests {
  @Test("Interpolated text is escaped")
  func escaping() {
    let text = "<a href=\"x\" title='y'>&"
    let html: HTML = "<b>\(text)</b>"
    #expect(html.markup == "<b>&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;</b>")
  }

  @Test("Interpolated markup is not escaped")
  func nesting() {
    let parts: [HTML] = ["<i>\("<")</i>", "<br>"]
    let html: HTML = "<p>\(parts)\(7)</p>"
    #expect(html.markup == "<p><i>&lt;</i><br>7</p>")
  }

  @Test("A sign with a combining mark is escaped", arguments: ["<\u{338}", "\"\u{301}", "&\u{20D2}"])
  func combiningMarks(text: String) {
    let html: HTML = "\(text)"
    #expect(!html.markup.utf8.contains(UInt8(ascii: "<")) && !html.markup.utf8.contains(UInt8(ascii: "\"")))
    #expect(html.markup.utf8.contains(UInt8(ascii: ";")))
  }

  @MainActor
  @Test("Hostile text in a card, a deck and a search is escaped in every page and event", arguments: hostileTexts)
  func everywhere(text: String) async throws {
    let test = try TestServer()
    try await test.test { client in
      let events = try test.events()
      try await client.post("/decks", ["name": text])
      let deck = try test.deck(text).key.uuidString
      try await client.post("/cards", ["deck": deck, "front": text, "back": text])
      let event = try await events.next("patch", with: "card-")
      let search = Client.encoded(text)
      let pages = [
        try await client.page(), try await client.page("/?search=\(search)"),
        try await client.page("/study?deck=\(deck)"),
        try await client.page("/?search=\(search)nothing"), event.data.replacing("\\\"", with: "\""),
      ]
      let escaped: HTML = "\(text)"
      for page in pages {
        #expect(page.contains(escaped.markup))
        #expect(!page.contains(text) || text == escaped.markup)
      }
    }
  }
}
