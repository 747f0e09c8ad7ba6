import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a catalogue", .serialized)
struct CatalogueReleaseTests {
  private typealias V1 = CatalogueReleases.V1
  private typealias V2 = CatalogueReleases.V2
  private typealias V3 = CatalogueReleases.V3

  private let numbers = Array((0..<40).reversed())
  private let closures = ["V3 will", "V3 did"]
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(
      CatalogueReleases.Plan.self, to: CatalogueReleases.V3.self, CatalogueReleases.calls)
  }

  private func keywords(_ number: Int) -> [Int] { (0..<number % 4).map { (number + 2 * $0) % 7 } }

  private func first(_ number: Int) -> V1.Item {
    switch number % 4 {
    case 0, 1:
      let book = V1.Book(number)
      (book.pages, book.authors) = (number * 100, Varied.words(number))
      return book
    case 2:
      let film = V1.Film(number)
      (film.minutes, film.poster) = (Double(number) * 1.5, Varied.maybe(number, Varied.bytes(number)))
      return film
    default: return V1.Item(number)
    }
  }

  private func second(_ number: Int) -> V2.Item {
    switch number % 4 {
    case 0, 1:
      let book = V2.Book(number)
      (book.pageCount, book.authors) = (number * 100, Varied.words(number))
      return book
    case 2:
      let film = V2.Film(number)
      (film.minutes, film.poster) = (Double(number) * 1.5, Varied.maybe(number, Varied.bytes(number)))
      film.isColour = false
      return film
    default:
      let game = V2.Game(number)
      game.players = Varied.whole(number)
      return game
    }
  }

  private func write(_ version: Int) throws {
    if version == 1 {
      try store.write(V1.self) { context in
        let shelves = (0..<5).map { V1.Shelf($0) }
        for shelf in shelves { context.insert(shelf) }
        for number in numbers {
          let item = first(number)
          context.insert(item)
          if number % 6 < 5 { shelves[number % 6].items.append(item) }
        }
      }
    } else {
      try store.write(V2.self) { context in
        let shelves = (0..<5).map { V2.Shelf($0) }
        let words = (0..<7).map { V2.Keyword($0) }
        for shelf in shelves { context.insert(shelf) }
        for word in words { context.insert(word) }
        for number in numbers {
          let item = second(number)
          context.insert(item)
          if number % 6 < 5 { shelves[number % 6].items.append(item) }
          item.keywords = keywords(number).map { words[$0] }
        }
      }
    }
  }

  private func check(_ item: V3.Item, writtenBy version: Int) throws {
    let number = item.number
    switch number % 4 {
    case 0, 1:
      let book = try #require(item as? V3.Book)
      #expect(book.pageCount == number * 100)
      #expect(book.authors == Varied.words(number))
      #expect(book.firstAuthor == Varied.words(number).first)
    case 2:
      let film = try #require(item as? V3.Film)
      let hasPoster = film.poster == Varied.maybe(number, Varied.bytes(number))
      #expect(film.seconds == number * 90)
      #expect(film.isColour == (version == 1))
      #expect(hasPoster, "\(number)")
    default:
      let isGame = item is V3.Game
      #expect(isGame == (version > 1))
      #expect((item as? V3.Game)?.players == (version == 1 ? nil : Varied.whole(number)))
    }
  }

  private func check(_ context: ModelContext, writtenBy version: Int) throws {
    let items = try context.all(V3.Item.self, by: \.number)
    #expect(items.map(\.number) == numbers.sorted())
    for item in items {
      let number = item.number
      try check(item, writtenBy: version)
      #expect(item.title == CatalogueReleases.title(number))
      #expect(item.sortTitle == Varied.name(number))
      #expect(item.price == Varied.real(number))
      #expect(item.added == Varied.date(number))
      #expect(item.rating == (version == 1 ? nil : Varied.maybe(number, Varied.real(number))))
      #expect(item.shelf?.number == (number % 6 < 5 ? number % 6 : nil))
      #expect(item.keywords.map(\.number) == (version == 1 ? [] : keywords(number)))
    }
    #expect(try context.fetchCount(FetchDescriptor<V3.Book>()) == 20)
    #expect(try context.fetchCount(FetchDescriptor<V3.Film>()) == 10)
    #expect(try context.fetchCount(FetchDescriptor<V3.Game>()) == (version == 1 ? 0 : 10))
    let shelves = try context.all(V3.Shelf.self, by: \.number)
    #expect(shelves.map(\.number) == Array(0..<5))
    for shelf in shelves { #expect(shelf.items.map(\.number) == numbers.filter { $0 % 6 == shelf.number }) }
    let words = try context.all(V3.Keyword.self, by: \.number)
    #expect(words.map(\.number) == (version == 1 ? [] : Array(0..<7)))
    for word in words {
      #expect(word.items.map(\.number) == numbers.filter { keywords($0).contains(word.number) })
    }
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: closures) { try check($0, writtenBy: version) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: closures) { _ in }
    try store.openAgain { try check($0, writtenBy: version) }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V3.Item>()) == 0)
      let game = V3.Game(3)
      game.players = 4
      game.keywords = [V3.Keyword(2), V3.Keyword(1)]
      context.insert(game)
      try context.save()
    }
    try store.openAgain { context in
      let game = try context.only(V3.Item.self)
      #expect((game as? V3.Game)?.players == 4)
      #expect(game.keywords.map(\.number) == [2, 1])
    }
  }
}
