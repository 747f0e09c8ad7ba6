import Foundation
import SwiftData

extension StoreTrial {
  func checkToOne() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let (ada, ben) = (Author("Ada"), Author("Ben"))
    let book = Book("Notes")
    for model in [ada, ben] { context.insert(model) }
    context.insert(book)
    func compare(_ expected: Author?, _ occasion: String) throws {
      try context.save()
      book.author = expected
      try context.save()
      let found = try ModelContext(container).fetch(FetchDescriptor<Book>())
      expectEqual(found.map { $0.author?.name }, [expected?.name], "author of the book \(occasion)")
      let owners = try ModelContext(container).fetch(FetchDescriptor<Author>()).filter { !$0.books.isEmpty }
      expectEqual(owners.map(\.name), expected.map { [$0.name] } ?? [], "authors that have the book \(occasion)")
    }
    try compare(ada, "after the link")
    try compare(ben, "after another link")
    try compare(nil, "after the removal of the link")
    ada.card = Card(1)
    try context.save()
    let cards = try ModelContext(container).fetch(FetchDescriptor<Card>())
    expectEqual(cards.map { $0.author?.name }, ["Ada"], "author of the card")
    expectEqual(try author("Ada", ModelContext(container))?.card?.number, 1, "card of the author")
  }

  func checkToMany() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let (ada, ben) = (Author("Ada"), Author("Ben"))
    for model in [ada, ben] { context.insert(model) }
    ada.books = (0..<5).map { Book("\($0)") }
    func compare(_ occasion: String) throws {
      try context.save()
      let other = ModelContext(container)
      for model in [ada, ben] {
        let found = try author(model.name, other)?.books
        let subject = "books of \(model.name) \(occasion)"
        expectEqual(found?.map(\.title).sorted(), model.books.map(\.title).sorted(), subject)
        expect(found?.allSatisfy { $0.author?.name == model.name } != false, "\(subject) have another author")
      }
    }
    try compare("after the insertion")
    ada.books.removeLast()
    try compare("after the removal of a member")
    ben.books.append(ada.books[0])
    try compare("after the move of a member")
    ada.books = []
    ben.books.append(Book("new"))
    try compare("after the removal of all and the insertion of a member")
  }

  func checkManyToMany() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let books = (0..<4).map { Book("\($0)") }
    let tags = ["a", "b", "c"].map { Tag($0) }
    for book in books { context.insert(book) }
    for (index, book) in books.enumerated() { book.tags = Array(tags.prefix(index)) }
    func compare(_ occasion: String) throws {
      try context.save()
      let other = ModelContext(container)
      for book in try other.fetch(FetchDescriptor<Book>()) {
        let expected = books.first { $0.title == book.title }?.tags.map(\.word).sorted()
        expectEqual(book.tags.map(\.word).sorted(), expected, "tags of book \(book.title) \(occasion)")
      }
      for tag in try ModelContext(container).fetch(FetchDescriptor<Tag>()) {
        let expected = tags.first { $0.word == tag.word }?.books.map(\.title).sorted()
        expectEqual(tag.books.map(\.title).sorted(), expected, "books of tag \(tag.word) \(occasion)")
      }
    }
    try compare("after the insertion")
    tags[0].books.append(books[0])
    books[3].tags.remove(at: 1)
    try compare("after a link and the removal of a link")
    context.delete(books[2])
    try context.save()
    expectEqual(
      try ModelContext(container).fetch(FetchDescriptor<Tag>()).flatMap(\.books).map(\.title).sorted(),
      ["0", "1", "3", "3"], "books of all tags after the deletion of book 2")
  }

  func checkDeleteRules() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let (ada, ben) = (Author("Ada"), Author("Ben"))
    ada.books = [Book("a1"), Book("a2")]
    ben.books = [Book("b1")]
    ada.card = Card(1)
    let shelf = Shelf("full")
    shelf.books = [ben.books[0]]
    for model in [ada, ben] { context.insert(model) }
    try context.save()
    context.delete(ada)
    try context.save()
    expectEqual(try titles(ModelContext(container)), ["b1"], "books after the deletion of their author cascades")
    let cards = try ModelContext(container).fetch(FetchDescriptor<Card>())
    expectEqual(cards.map { $0.author?.name }, [nil], "author of the card after the author's deletion")
    context.delete(shelf)
    do {
      try context.save()
      messages.append("the deletion of a shelf with a book was saved, which the rule .deny forbids")
    } catch {}
    context.rollback()
    let other = ModelContext(container)
    let shelves = try other.fetch(FetchDescriptor<Shelf>())
    expectEqual(shelves.map { $0.books.map(\.title) }, [["b1"]], "books of the shelf after the denied deletion")
  }
}
