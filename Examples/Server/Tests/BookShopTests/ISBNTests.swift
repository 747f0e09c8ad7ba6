import Testing

@testable import BookShop
@testable import LoadTest

@Suite("ISBNs")
struct ISBNTests {
  @Test("An ISBN is read with and without hyphens", arguments: ["9780061054884", "978-0-06-105488-4"])
  func reading(text: String) {
    #expect(ISBN(text)?.description == "9780061054884")
  }

  @Test(
    "A text that is not an ISBN is refused",
    arguments: ["", "-", "9780061054885", "978006105488", "97800610548840", "978006105488X", "９780061054884"])
  func refusing(text: String) {
    #expect(ISBN(text) == nil)
  }

  @Test("The sample books of the load test have valid and unique ISBNs")
  func samples() {
    let isbns = (0..<2000).map { SampleBook($0).isbn }
    #expect(isbns.allSatisfy { ISBN($0) != nil })
    #expect(Set(isbns).count == isbns.count)
  }
}
