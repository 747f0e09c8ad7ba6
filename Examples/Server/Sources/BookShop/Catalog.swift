import Foundation
import SwiftData

/// The shop's models, on their own executor. Parameters and results are values; models do not leave the actor.
@ModelActor
actor Catalog {
  /// - Throws: ``ShopError/invalid(_:)`` for an impossible page.
  func page(_ query: BookQuery) throws -> BookPage {
    let (offset, limit) = try query.range()
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title), SortDescriptor(\.isbn)])
    if let text = query.search, !text.isEmpty {
      descriptor.predicate = #Predicate {
        $0.title.localizedStandardContains(text) || $0.author?.name.localizedStandardContains(text) == true
      }
    }
    let total = try modelContext.fetchCount(descriptor)
    descriptor.fetchOffset = offset
    descriptor.fetchLimit = limit
    descriptor.relationshipKeyPathsForPrefetching = [\.author]
    let books = try modelContext.fetch(descriptor)
    return BookPage(books: books.map(BookContent.init), page: query.page ?? 1, size: limit, total: total)
  }

  /// - Throws: ``ShopError/noSuchBook(isbn:)``.
  func book(_ isbn: ISBN) throws -> BookContent {
    BookContent(try existingBook(isbn))
  }
}

extension Catalog {
  /// - Throws: ``ShopError/isbnTaken(_:)``. Without this check the save would update the existing book.
  func add(_ draft: BookDraft, as isbn: ISBN) throws -> BookContent {
    try change {
      guard try findBook(isbn) == nil else { throw ShopError.isbnTaken(isbn) }
      let book = Book(isbn: isbn.description, title: draft.title, year: draft.year, copies: draft.copies)
      modelContext.insert(book)
      book.author = try author(named: draft.author)
    }
    return try book(isbn)
  }

  /// - Throws: ``ShopError/noSuchBook(isbn:)``.
  func update(_ isbn: ISBN, with changes: BookChanges) throws -> BookContent {
    try change {
      let book = try existingBook(isbn)
      if let title = changes.title { book.title = title }
      if let year = changes.year { book.year = year }
      if let copies = changes.copies { book.copies = copies }
      if let name = changes.author { book.author = try author(named: name) }
    }
    return try book(isbn)
  }

  /// Deletes the book with its sales.
  ///
  /// - Throws: ``ShopError/noSuchBook(isbn:)``.
  func remove(_ isbn: ISBN) throws {
    try change { modelContext.delete(try existingBook(isbn)) }
  }

  /// Sells all lines of an order, or none of them.
  ///
  /// - Throws: ``ShopError/soldOut(_:copiesLeft:)`` or ``ShopError/noSuchBook(isbn:)`` for the first line that fails.
  func sell(_ order: [(isbn: ISBN, copies: Int)], at date: Date = .now) throws {
    try change {
      for line in order {
        let book = try existingBook(line.isbn)
        guard book.copies >= line.copies else { throw ShopError.soldOut(line.isbn, copiesLeft: book.copies) }
        book.copies -= line.copies
        let sale = Sale(copies: line.copies, date: date)
        modelContext.insert(sale)
        sale.book = book
      }
    }
  }

  /// Runs a change as one transaction. When it fails, it is rolled back, so the next request finds no unsaved changes.
  private func change(_ work: () throws -> Void) throws {
    do {
      try modelContext.transaction(block: work)
    } catch {
      modelContext.rollback()
      throw error
    }
  }

  /// Saves unsaved changes.
  func finish() throws {
    if modelContext.hasChanges { try modelContext.save() }
  }

  private func findBook(_ isbn: ISBN) throws -> Book? {
    let text = isbn.description
    var descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.isbn == text })
    descriptor.fetchLimit = 1
    return try modelContext.fetch(descriptor).first
  }

  private func existingBook(_ isbn: ISBN) throws -> Book {
    guard let book = try findBook(isbn) else { throw ShopError.noSuchBook(isbn: isbn.description) }
    return book
  }

  private func author(named name: String) throws -> Author {
    var descriptor = FetchDescriptor<Author>(predicate: #Predicate { $0.name == name })
    descriptor.fetchLimit = 1
    if let author = try modelContext.fetch(descriptor).first { return author }
    let author = Author(name: name)
    modelContext.insert(author)
    return author
  }
}
