import Foundation
import Hummingbird
import HummingbirdTesting
import SwiftData
import Testing

@testable import BookShop

@Suite("The routes of the book shop")
struct BookRoutesTests {
  @Test("A new book is at the location in the response")
  func adding() async throws {
    try await Shop().test { client in
      let response = try await client.send(
        .post, "/books",
        #"{"isbn":"978-0-06-105488-4","title":"The Dispossessed","author":"Ursula K. Le Guin","year":1974,"copies":3}"#)
      #expect(response.status == .created)
      let location = try #require(response.headers[.location])
      #expect(location == "/books/\(dispossessed)")
      let book: BookContent = try await client.send(.get, location).decoded()
      #expect(try book == response.decoded())
      #expect(book.author == "Ursula K. Le Guin")
      #expect(book.copies == 3)
    }
  }

  @Test("Two books of an author share the author's row")
  func sharedAuthor() async throws {
    let shop = try Shop()
    try await shop.test { client in
      try await client.add(dispossessed, "The Dispossessed")
      try await client.add(darkness, "The Left Hand of Darkness")
    }
    #expect(try ModelContext(shop.container).fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("A list has pages, in the order of titles")
  func paging() async throws {
    try await Shop().test { client in
      try await client.add(darkness, "The Left Hand of Darkness")
      try await client.add(solaris, "Solaris", by: "Stanisław Lem")
      try await client.add(dispossessed, "the dispossessed")
      let first = try await client.page("?size=2")
      #expect(first.books.map(\.title) == ["Solaris", "the dispossessed"])
      #expect((first.page, first.size, first.total) == (1, 2, 3))
      let second = try await client.page("?size=2&page=2")
      #expect(second.books.map(\.title) == ["The Left Hand of Darkness"])
      for page in [3, .max] {
        let beyond = try await client.page("?size=2&page=\(page)")
        #expect(beyond.books.isEmpty)
        #expect(beyond.total == 3)
      }
    }
  }

  @Test(
    "A search finds titles and authors, and ignores case and accents",
    arguments: [
      ("DISPOSSESSED", 1), ("le guïn", 1), ("stanislaw", 0), ("Stanisław", 1), ("écran", 0), ("%", 0), ("", 2),
    ]
  )
  func search(text: String, count: Int) async throws {
    try await Shop().test { client in
      try await client.add(solaris, "Solaris", by: "Stanisław Lem")
      try await client.add(dispossessed, "The Dispossessed")
      let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      #expect(try await client.page("?search=\(encoded)").total == count)
    }
  }

  @Test(
    "An impossible page is refused",
    arguments: ["?page=0", "?page=-1", "?size=0", "?size=101", "?page=-9223372036854775808", "?page=1e3", "?page=two"]
  )
  func wrongPage(query: String) async throws {
    try await Shop().test { client in
      let status = try await client.send(.get, "/books\(query)").status
      #expect(status == .unprocessableContent || status == .badRequest)
    }
  }

  @Test("All faults of a new book are reported, and nothing is stored")
  func invalidDraft() async throws {
    try await Shop().test { client in
      let response = try await client.send(
        .post, "/books", #"{"isbn":"9780061054885","title":"","author":"A","year":74,"copies":-1}"#)
      #expect(response.status == .unprocessableContent)
      #expect(
        try response.reasons == [
          "“9780061054885” is not an ISBN of 13 digits.", "The title has 1 to 300 characters.",
          "The year has four digits.", "There are 0 to 1,000,000 copies.",
        ])
      #expect(try await client.page().total == 0)
    }
  }

  @Test("JSON that is invalid or lacks a field is refused", arguments: ["", "{", "[]", #"{"isbn":"9780061054884"}"#])
  func malformedBody(body: String) async throws {
    try await Shop().test { client in
      let status = try await client.send(.post, "/books", body).status
      #expect(status == .badRequest)
    }
  }

  @Test("A second book with the same ISBN is refused, and the first one is unchanged")
  func takenISBN() async throws {
    try await Shop().test { client in
      try await client.add(dispossessed, "The Dispossessed")
      let response = try await client.send(
        .post, "/books", #"{"isbn":"\#(dispossessed)","title":"Another","author":"Nobody","year":2000,"copies":0}"#)
      #expect(response.status == .conflict)
      #expect(try await client.book(dispossessed).title == "The Dispossessed")
      #expect(try await client.page("?search=Nobody").total == 0)
    }
  }

  @Test("A change sets only the fields in the request")
  func changing() async throws {
    try await Shop().test { client in
      try await client.add(dispossessed, "The Disposessed")
      let response = try await client.send(.patch, "/books/\(dispossessed)", #"{"title":"The Dispossessed"}"#)
      #expect(response.status == .ok)
      let book = try await client.book(dispossessed)
      #expect(book.title == "The Dispossessed")
      #expect(book.year == 1974)
      #expect(try await client.send(.patch, "/books/\(dispossessed)", #"{"year":7}"#).status == .unprocessableContent)
      #expect(try await client.book(dispossessed) == book)
    }
  }

  @Test("Deleting a book also deletes its sales")
  func deleting() async throws {
    let shop = try Shop()
    try await shop.test { client in
      try await client.add(dispossessed, "The Dispossessed")
      let order = try await client.send(.post, "/orders", #"[{"isbn":"\#(dispossessed)","copies":1}]"#)
      #expect(order.status == .noContent)
      #expect(try await client.send(.delete, "/books/\(dispossessed)").status == .noContent)
      #expect(try await client.send(.get, "/books/\(dispossessed)").status == .notFound)
    }
    #expect(try ModelContext(shop.container).fetchCount(FetchDescriptor<Sale>()) == 0)
  }

  @Test(
    "Requests for an unknown book get status 404",
    arguments: [HTTPRequest.Method.get, .patch, .delete], ["9780061054884", "1", "%2e%2e"])
  func unknownBook(method: HTTPRequest.Method, isbn: String) async throws {
    try await Shop().test { client in
      let status = try await client.send(method, "/books/\(isbn)", "{}").status
      #expect(status == .notFound)
    }
  }

  @Test("The health check reads the store")
  func health() async throws {
    try await Shop().test { client in
      try await client.add(dispossessed, "The Dispossessed")
      let response = try await client.send(.get, "/health")
      #expect(response.status == .ok)
      #expect(try response.decoded(as: Health.self).books == 1)
    }
  }
}
