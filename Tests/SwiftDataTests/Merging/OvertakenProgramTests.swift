import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData

/// Three contexts change one graph at random, and do so in the moments that a lock does not cover: between the beginning of
/// a save of another one and its commit, and between the commit and the word of it. `OSD_OVERTAKINGS` says how many such
/// programs run.
@Suite("Random saves that overtake one another")
struct OvertakenProgramTests {
  private static let count = ProcessInfo.processInfo.environment["OSD_OVERTAKINGS"].flatMap { Int($0) } ?? 24

  /// A context, and what it has in memory of the graph.
  ///
  /// `@unchecked Sendable` because all is done on the thread of the test.
  private final class Side: @unchecked Sendable {
    let name: String
    let context: ModelContext
    var random: SeededGenerator
    /// In the order in which it came to know of them.
    var held: [any PersistentModel] = []
    let log: Log

    init(_ name: String, _ container: ModelContainer, _ random: SeededGenerator, _ log: Log) {
      self.name = name
      self.random = random
      self.log = log
      context = ModelContext(container)
    }

    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    func any<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
      let known = held.compactMap { $0 as? Model }.filter { $0.modelContext === context && !$0.isDeleted }
      if !known.isEmpty, draw(3) > 0 { return known[draw(known.count)] }
      let identifiers = try context.fetchIdentifiers(FetchDescriptor<Model>())
      if identifiers.isEmpty { return nil }
      let model: Model?
      if draw(3) == 0 {
        // Without its row.
        model = context.model(for: identifiers[draw(identifiers.count)]) as? Model
      } else {
        var descriptor = FetchDescriptor<Model>()
        descriptor.fetchOffset = draw(identifiers.count)
        descriptor.fetchLimit = 1
        model = try context.fetch(descriptor).first
      }
      if let model, !held.contains(where: { $0 === model }) { held.append(model) }
      return model
    }

    func change() throws {
      switch draw(11) {
      case 0:
        let author = Author(name: "\(draw(1000))")
        author.books = [Book(isbn: UUID().uuidString, title: ""), Book(isbn: UUID().uuidString, title: "")]
        context.insert(author)
        log.add(name, "inserts an author")
      case 1:
        guard let author = try any(Author.self) else { return }
        author.books.append(Book(isbn: UUID().uuidString, title: ""))
        log.add(name, "appends a new book to \(brief(author))")
      case 2:
        guard let author = try any(Author.self) else { return }
        context.insert(Book(isbn: UUID().uuidString, title: "", author: author))
        log.add(name, "inserts a book of \(brief(author))")
      case 3, 4:
        guard let book = try any(Book.self), let author = try any(Author.self) else { return }
        let former = book.author.map(brief) ?? "nobody"
        book.author = author
        log.add(name, "sets the author of \(brief(book)) from \(former) to \(brief(author))")
      case 5:
        guard let book = try any(Book.self), let author = try any(Author.self) else { return }
        if !author.books.contains(where: { $0 === book }) { author.books.append(book) }
        log.add(name, "appends \(brief(book)) to \(brief(author))")
      case 6:
        guard let author = try any(Author.self), !author.books.isEmpty else { return }
        if draw(3) == 0 { author.books.reverse() } else { author.books.removeLast() }
        log.add(name, "reverses or shortens \(brief(author))")
      case 7:
        guard let book = try any(Book.self) else { return }
        context.delete(book)
        log.add(name, "deletes \(brief(book))")
      case 8:
        guard try context.fetchCount(FetchDescriptor<Author>()) > 4, let author = try any(Author.self) else { return }
        context.delete(author)
        log.add(name, "deletes \(brief(author))")
      case 9:
        guard let book = try any(Book.self) else { return }
        book.pages += 1
        log.add(name, "changes \(brief(book))")
      default:
        guard let book = try any(Book.self), let tag = try any(Tag.self) else { return }
        if let place = tag.books.firstIndex(where: { $0 === book }) {
          tag.books.remove(at: place)
        } else if draw(2) == 0 {
          tag.books.append(book)
        } else {
          book.tags.append(tag)
        }
        log.add(name, "\(brief(tag)) comes to \(brief(book)), or leaves it")
      }
    }

    func save() throws {
      do {
        try context.save()
        log.add(name, "has saved")
      } catch is SwiftDataError {
        log.add(name, "is refused")
        context.rollback()
      }
    }

    /// Looks at something.
    func look() throws {
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

    /// What models lead to.
    func statement() -> [String: String] {
      context.processPendingChanges()
      held.removeAll { $0.modelContext !== context || $0.isDeleted }
      return Self.statement(held)
    }

    static func stored(_ container: ModelContainer) throws -> [String: String] {
      let context = ModelContext(container)
      return try withExtendedLifetime(context) {
        let models: [any PersistentModel] =
          try context.fetch(FetchDescriptor<Author>()) + context.fetch(FetchDescriptor<Book>())
          + context.fetch(FetchDescriptor<Tag>())
        return statement(models)
      }
    }

    private static func statement(_ models: [any PersistentModel]) -> [String: String] {
      models.reduce(into: [:]) { $0[brief($1)] = words($1) }
    }

    private static func words(_ model: any PersistentModel) -> String {
      switch model {
      case let author as Author: "\(author.books.map(brief))"
      case let book as Book: "\(book.pages) \(book.author.map(brief) ?? "nobody's") \(book.tags.map(brief))"
      case let tag as Tag: "\(tag.books.map(brief))"
      default: ""
      }
    }
  }

  private final class Log: @unchecked Sendable {
    private(set) var lines: [String] = []

    func add(_ name: String, _ line: String) { lines.append("\(name) \(line)") }
  }

  @Test("What each has in memory is what is stored", arguments: 0..<count)
  func program(number: Int) throws {
    let folder = try TemporaryFolder()
    let event = OvertakenDatabase.Event()
    let wrap: @Sendable (any Database) -> any Database = { OvertakenDatabase($0, event) }
    let container = try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: folder.file()))
    }
    let setup = ModelContext(container)
    for number in 0..<6 {
      let author = Author(name: "\(number)")
      author.books = (0..<4).map { Book(isbn: "\(number).\($0)", title: "") }
      setup.insert(author)
      setup.insert(Tag("\(number)"))
    }
    try setup.save()
    let log = Log()
    let sides = (0..<3).map { side in
      Side("\(side)", container, SeededGenerator(seed: UInt64(number * 10 + side)), log)
    }
    for step in 0..<120 {
      let other = step / 3 % 2
      let (first, second, third) = (sides[step % 3], sides[(step + 1 + other) % 3], sides[(step + 2 - other) % 3])
      try first.change()
      if first.draw(2) == 0 { try first.change() }
      try second.change()
      let goesFirst = first.draw(3) == 0
      let observer = NotificationCenter.default.addObserver(
        forName: ModelContext.willSave, object: first.context, queue: nil
      ) { _ in
        log.add(first.name, "begins to save")
        if goesFirst { #expect(throws: Never.self) { try second.save() } }
      }
      event.set {
        log.add(goesFirst ? second.name : first.name, "has committed")
        if goesFirst { return }
        if third.draw(3) == 0 { try third.look() }
        try second.save()
        for _ in 0..<third.draw(3) { try third.look() }
        if first.draw(2) == 0 { try second.look() }
      }
      try first.save()
      NotificationCenter.default.removeObserver(observer)
      // Where the first one had nothing to save.
      log.add("-", "\(second.name) saves what is left")
      event.set {}
      try second.save()
      let stored = try Side.stored(container)
      for side in sides {
        for (model, words) in side.statement() where words != stored[model] {
          Issue.record(
            """
            \(number), step \(step): \(side.name) has \(model) with \(words), stored is \(stored[model] ?? "nothing")
            \(log.lines.suffix(20).joined(separator: "\n"))
            """)
          return
        }
      }
      for side in sides where side.held.count > 30 { side.held.removeFirst(15) }
    }
  }
}

private func brief(_ model: any PersistentModel) -> String {
  "\(model.persistentModelID)".replacingOccurrences(of: "PersistentIdentifier", with: "")
}
