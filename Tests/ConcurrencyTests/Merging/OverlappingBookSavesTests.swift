import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Random overlapping saves of books")
struct OverlappingBookSavesTests {
  private final class Writer: RandomWriter, @unchecked Sendable {
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
        guard let author = try randomModel(Author.self) else { return }
        author.books.append(Book(isbn: UUID().uuidString, title: ""))
        log.add(name, "appends a new book to \(Self.shortIdentifier(of: author))")
      case 2:
        guard let author = try randomModel(Author.self) else { return }
        context.insert(Book(isbn: UUID().uuidString, title: "", author: author))
        log.add(name, "inserts a book of \(Self.shortIdentifier(of: author))")
      case 3, 4:
        guard let book = try randomModel(Book.self), let author = try randomModel(Author.self) else { return }
        let former = book.author.map(Self.shortIdentifier) ?? "none"
        book.author = author
        let (identifier, new) = (Self.shortIdentifier(of: book), Self.shortIdentifier(of: author))
        log.add(name, "sets the author of \(identifier) from \(former) to \(new)")
      case 5:
        guard let book = try randomModel(Book.self), let author = try randomModel(Author.self) else { return }
        if !author.books.contains(where: { $0 === book }) { author.books.append(book) }
        log.add(name, "appends \(Self.shortIdentifier(of: book)) to \(Self.shortIdentifier(of: author))")
      case 6:
        guard let author = try randomModel(Author.self), !author.books.isEmpty else { return }
        if draw(3) == 0 { author.books.reverse() } else { author.books.removeLast() }
        log.add(name, "reverses or shortens \(Self.shortIdentifier(of: author))")
      case 7: try deleteOne(Book.self)
      case 8: try deleteOne(Author.self)
      case 9:
        guard let book = try randomModel(Book.self) else { return }
        book.pages += 1
        log.add(name, "changes \(Self.shortIdentifier(of: book))")
      default:
        guard let book = try randomModel(Book.self), let tag = try randomModel(Tag.self) else { return }
        if let place = tag.books.firstIndex(where: { $0 === book }) {
          tag.books.remove(at: place)
        } else if draw(2) == 0 {
          tag.books.append(book)
        } else {
          book.tags.append(tag)
        }
        log.add(name, "\(Self.shortIdentifier(of: tag)) is added to \(Self.shortIdentifier(of: book)), or removed")
      }
    }

    override func readSomething() throws {
      let kind = draw(5)
      log.add(name, "reads in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Book>())
      case 2: _ = try randomModel(Book.self)?.title
      case 3: _ = try randomModel(Author.self)?.books.map(\.isbn)
      default: _ = try randomModel(Tag.self)?.books.map(\.isbn)
      }
    }

    override class func summary(of model: any PersistentModel) -> String {
      switch model {
      case let author as Author: "\(author.books.map(Self.shortIdentifier))"
      case let book as Book:
        "\(book.pages) \(book.author.map(Self.shortIdentifier) ?? "none") \(book.tags.map(Self.shortIdentifier))"
      case let tag as Tag: "\(tag.books.map(Self.shortIdentifier))"
      default: ""
      }
    }
  }

  @Test("Each context's memory equals the store", arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    try OverlappingSaveProgram<Writer>(number: number, insertsAgain: number % 3 == 1, refreshes: number % 5 > 2).run()
  }
}
