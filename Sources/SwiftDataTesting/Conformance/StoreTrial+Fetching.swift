import Foundation
import SwiftData

extension StoreTrial {
  /// Twelve books by three authors. One book has no author.
  private func library() throws -> (container: ModelContainer, books: [Book], context: ModelContext) {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let authors = ["Ada", "Ben", "Cleo"].enumerated().map { Author($1, rank: $0) }
    let books = (0..<12).map { number in
      Book("Book \(number * 7 % 12)", pages: number % 4 * 100, author: number == 11 ? nil : authors[number % 3])
    }
    for author in authors { context.insert(author) }
    for book in books { context.insert(book) }
    try context.save()
    return (container, books, context)
  }

  private var predicates: [(name: String, predicate: Predicate<Book>)] {
    let pages = 100
    let prefix = "Book 1"
    return [
      ("equality", #Predicate { $0.title == "Book 3" }),
      ("inequality", #Predicate { $0.pages != pages }),
      ("comparison", #Predicate { $0.pages > pages && $0.pages <= 300 }),
      ("disjunction", #Predicate { $0.pages == 0 || $0.title == "Book 7" }),
      ("negation", #Predicate { !($0.pages == pages) }),
      ("prefix", #Predicate { $0.title.starts(with: prefix) }),
      ("text", #Predicate { $0.title.contains("ook 1") }),
      ("nil", #Predicate { $0.author == nil }),
      ("relationship", #Predicate { $0.author?.name == "Ben" }),
      ("everything", #Predicate { _ in true }),
      ("nothing", #Predicate { _ in false }),
    ]
  }

  func checkPredicates() throws {
    let (container, books, _) = try library()
    for (name, predicate) in predicates {
      let expected = try books.filter { try predicate.evaluate($0) }.map(\.title).sorted()
      let found = try ModelContext(container).fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
      expectEqual(found, expected, "books that the predicate with \(name) selects")
    }
    let counts = try ModelContext(container).fetch(
      FetchDescriptor<Author>(predicate: #Predicate { $0.books.contains { $0.pages == 0 } }))
    expectEqual(counts.map(\.name).sorted(), ["Ada", "Ben", "Cleo"], "authors that have a book without pages")
  }

  private var orders: [(name: String, order: [SortDescriptor<Book>])] {
    [
      ("forward", [SortDescriptor(\.title, comparator: .lexical)]),
      ("reverse", [SortDescriptor(\.title, comparator: .lexical, order: .reverse)]),
      ("two keys", [SortDescriptor(\.pages, order: .reverse), SortDescriptor(\.title, comparator: .lexical)]),
    ]
  }

  func checkSorting() throws {
    let (container, books, _) = try library()
    for (name, order) in orders {
      let found = try ModelContext(container).fetch(FetchDescriptor(sortBy: order)).map(\.title)
      expectEqual(found, books.sorted(using: order).map(\.title), "books in the order \(name)")
    }
  }

  func checkLimits() throws {
    let (container, books, _) = try library()
    for (offset, limit) in [(nil, 5), (3, nil), (2, 4), (10, 10), (20, 3)] as [(Int?, Int?)] {
      let subject = "with the offset \(offset ?? 0) and the limit \(limit.map(String.init) ?? "none")"
      var descriptor = FetchDescriptor(sortBy: orders[0].order)
      (descriptor.fetchOffset, descriptor.fetchLimit) = (offset, limit)
      func slice(_ books: [Book]) -> [String] {
        books.sorted(using: orders[0].order).dropFirst(offset ?? 0).prefix(limit ?? .max).map(\.title)
      }
      let sorted = try ModelContext(container).fetch(descriptor).map(\.title)
      expectEqual(sorted, slice(books), "sorted books \(subject)")
      descriptor.predicate = #Predicate { $0.pages > 0 }
      let filtered = try ModelContext(container).fetch(descriptor).map(\.title)
      expectEqual(filtered, slice(books.filter { $0.pages > 0 }), "sorted books with pages \(subject)")
      (descriptor.predicate, descriptor.sortBy) = (nil, [])
      let count = try ModelContext(container).fetch(descriptor).count
      expectEqual(count, slice(books).count, "number of unsorted books \(subject)")
    }
  }

  func checkCounts() throws {
    let (container, books, _) = try library()
    let context = ModelContext(container)
    expectEqual(try context.fetchCount(FetchDescriptor<Book>()), 12, "number of books")
    expectEqual(try context.fetchCount(FetchDescriptor<Tag>()), 0, "number of tags")
    for (name, predicate) in predicates {
      let expected = try books.filter { try predicate.evaluate($0) }.count
      let count = try context.fetchCount(FetchDescriptor(predicate: predicate))
      expectEqual(count, expected, "number of books that the predicate with \(name) selects")
    }
  }

  func checkFetchedIdentifiers() throws {
    let (container, books, _) = try library()
    let context = ModelContext(container)
    let all = try context.fetchIdentifiers(FetchDescriptor<Book>())
    expect(
      all.count == 12 && Set(all) == Set(books.map(\.persistentModelID)), "the identifiers are not those of all books")
    for (name, order) in orders {
      let expected = books.sorted(using: order).map(\.persistentModelID)
      let found = try context.fetchIdentifiers(FetchDescriptor(sortBy: order))
      expect(found == expected, "the identifiers in the order \(name) are not those of the books in that order")
    }
    for (name, predicate) in predicates {
      let expected = Set(try books.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
      let found = Set(try context.fetchIdentifiers(FetchDescriptor(predicate: predicate)))
      expect(found == expected, "the identifiers are not those of the books that the predicate with \(name) selects")
    }
  }
}
