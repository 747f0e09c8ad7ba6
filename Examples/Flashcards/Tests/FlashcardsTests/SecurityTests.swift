import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Flashcards

@MainActor
@Suite("Security")
struct SecurityTests {
  @Test("A request without the page's token, or from another origin, changes nothing")
  func token() async throws {
    let test = try TestServer()
    try await test.test { client in
      #expect(try await client.post("/decks", ["name": "A"], token: "").status == .forbidden)
      #expect(try await client.post("/decks", ["name": "A"], token: "wrong").status == .forbidden)
      let foreign = try await client.post("/decks", ["name": "A"], headers: [.origin: "http://example.com"])
      #expect(foreign.status == .forbidden)
      #expect(try test.deckNames() == ["Capitals", "Spanish"])
      let own = try await client.post("/decks", ["name": "A"], headers: [.origin: "http://localhost"])
      #expect(own.status == .noContent)
      #expect(try await client.page().contains("<meta name=\"page-token\" content=\"\(client.token)\">"))
    }
  }

  @Test(
    "Only requests for a host name of this machine are answered",
    arguments: [
      ("localhost:8080", true), ("127.0.0.1:1", true), ("[::1]:80", true), ("LOCALHOST", true), ("example.com", false),
      ("localhost.example.com:8080", false), ("127.0.0.1@example.com", false), ("", false),
    ])
  func hosts(host: String, isAnswered: Bool) {
    #expect(HostMiddleware<BasicRequestContext>(host: "127.0.0.1").isOwn(host) == isAnswered)
  }

  @Test("Every response has the security headers", arguments: ["/", "/study", "/app.js", "/nowhere", "/style.css"])
  func headers(path: String) async throws {
    try await TestServer().test { client in
      let headers = try await client.get(path).headers
      #expect(headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
      #expect(headers[.xContentTypeOptions] == "nosniff")
      #expect(headers[.referrerPolicy] == "no-referrer")
    }
  }

  @Test("Pages have no inline script and no inline style", arguments: ["/", "/study", "/?search=nothing"])
  func inline(path: String) async throws {
    try await TestServer().test { client in
      let page = try await client.page(path)
      #expect(!page.contains("<script>") && !page.contains("<style"))
      #expect(!page.contains(/\s(style|on[a-z]+)=/))
    }
  }
}
