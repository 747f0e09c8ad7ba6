import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Random overlapping saves of books")
struct OverlappingBookSavesTests {
  private final class Side: OverlappingSaveSide, @unchecked Sendable {
    override class var types: [any PersistentModel.Type] { [Author.self, Book.self, Tag.self] }

    override class func fill(_ context: ModelContext) {
      for number in 0..<6 {
        let author = Author(name: "\(number)")
        author.books = (0..<4).map { Book(isbn: "\(number).\($0)", title: "") }
        context.insert(author)
        context.insert(Tag("\(number)"))
      }
    }

    override func change() throws {
      switch draw(11) {
      case 0:
        let author = Author(name: "\(draw(1000))")
        author.books = [Book(isbn: UUID().uuidString, title: ""), Book(isbn: UUID().uuidString, title: "")]
        context.insert(author)
        log.add(name, "inserts an author")
      case 1:
        guard let author = try any(Author.self) else { return }
        author.books.append(Book(isbn: UUID().uuidString, title: ""))
        log.add(name, "appends a new book to \(Self.brief(author))")
      case 2:
        guard let author = try any(Author.self) else { return }
        context.insert(Book(isbn: UUID().uuidString, title: "", author: author))
        log.add(name, "inserts a book of \(Self.brief(author))")
      case 3, 4:
        guard let book = try any(Book.self), let author = try any(Author.self) else { return }
        let former = book.author.map(Self.brief) ?? "none"
        book.author = author
        log.add(name, "sets the author of \(Self.brief(book)) from \(former) to \(Self.brief(author))")
      case 5:
        guard let book = try any(Book.self), let author = try any(Author.self) else { return }
        if !author.books.contains(where: { $0 === book }) { author.books.append(book) }
        log.add(name, "appends \(Self.brief(book)) to \(Self.brief(author))")
      case 6:
        guard let author = try any(Author.self), !author.books.isEmpty else { return }
        if draw(3) == 0 { author.books.reverse() } else { author.books.removeLast() }
        log.add(name, "reverses or shortens \(Self.brief(author))")
      case 7: try deleteOne(Book.self)
      case 8: try deleteOne(Author.self)
      case 9:
        guard let book = try any(Book.self) else { return }
        book.pages += 1
        log.add(name, "changes \(Self.brief(book))")
      default:
        guard let book = try any(Book.self), let tag = try any(Tag.self) else { return }
        if let place = tag.books.firstIndex(where: { $0 === book }) {
          tag.books.remove(at: place)
        } else if draw(2) == 0 {
          tag.books.append(book)
        } else {
          book.tags.append(tag)
        }
        log.add(name, "\(Self.brief(tag)) comes to \(Self.brief(book)), or leaves it")
      }
    }

    override func look() throws {
      let kind = draw(5)
      log.add(name, "looks in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Book>())
      case 2: _ = try any(Book.self)?.title
      case 3: _ = try any(Author.self)?.books.map(\.isbn)
      default: _ = try any(Tag.self)?.books.map(\.isbn)
      }
    }

    override class func words(_ model: any PersistentModel) -> String {
      switch model {
      case let author as Author: "\(author.books.map(Self.brief))"
      case let book as Book: "\(book.pages) \(book.author.map(Self.brief) ?? "none") \(book.tags.map(Self.brief))"
      case let tag as Tag: "\(tag.books.map(Self.brief))"
      default: ""
      }
    }
  }

  @Test("Each context's memory equals the store", arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    try OverlappingSaveProgram<Side>(number: number, insertsAgain: number % 3 == 1, refreshes: number % 5 > 2).run()
  }
}
