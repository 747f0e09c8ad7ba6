import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// Other contexts can read what a save has committed before they are notified, and save before they have merged it.
@Suite("Overlapping saves to the same to-manys")
struct OverlappingSaveTests {
  /// What a third context does between a commit and its notification.
  enum Interlude: CaseIterable, Sendable {
    case nothing
    /// Merges its notifications.
    case look
    /// Merges its notifications, and reads all lists.
    case read
  }

  /// A context and its models in memory.
  ///
  /// `@unchecked Sendable` because everything runs on the thread of the test.
  private final class Side: @unchecked Sendable {
    let context: ModelContext
    let authors: [Author]
    let tags: [Tag]
    let books: [Book]

    init(_ container: ModelContainer) throws {
      context = ModelContext(container)
      authors = try context.all(Author.self, by: \.name)
      tags = try context.all(Tag.self, by: \.word)
      books = try context.all(Book.self, by: \.isbn)
      _ = lists
    }

    func book(_ isbn: String) throws -> Book {
      try #require(books.first { $0.isbn == isbn })
    }

    /// The relationships of all models in memory, without a fetch, which would refresh them.
    var lists: [String] {
      func isThere(_ model: any PersistentModel) -> Bool { model.modelContext === context && !model.isDeleted }
      return authors.filter(isThere).map { "\($0.name): \($0.books.map(\.isbn))" }
        + tags.filter(isThere).map { "\($0.word): \($0.books.map(\.isbn))" }
        + books.filter(isThere).map { "\($0.isbn): \($0.author?.name ?? "") \($0.tags.map(\.word))" }
    }

    func takeIn() {
      context.processPendingChanges()
    }
  }

  /// Three contexts of a container.
  private final class Desk: Sendable {
    let folder: TemporaryFolder
    let event = OvertakenDatabase.Event()
    let first: Side
    let second: Side
    let third: Side

    init() throws {
      folder = try TemporaryFolder()
      let file = folder.file()
      let wrap: @Sendable (any Database) -> any Database = { [event] in OvertakenDatabase($0, event) }
      let container = try DatabaseInterception.$wrap.withValue(wrap) {
        try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: ModelConfiguration(url: file))
      }
      let setup = ModelContext(container)
      for name in ["0", "1"] {
        let author = Author(name: name)
        author.books = [1, 2, 3].map { Book(isbn: "\(name).\($0)", title: "") }
        setup.insert(author)
        let tag = Tag(name)
        setup.insert(tag)
        tag.books = author.books
      }
      try setup.save()
      first = try Side(container)
      second = try Side(container)
      third = try Side(container)
    }

    /// Saves the first context, and then the second one.
    ///
    /// - Parameter look: What the second context does between the first commit and its notification.
    func save(_ interlude: Interlude, whileSecond look: @escaping @Sendable () throws -> Void = {}) throws {
      event.set { [third] in
        try look()
        if interlude == .nothing { return }
        third.takeIn()
        if interlude == .read { _ = third.lists }
      }
      try first.context.save()
      try second.context.save()
    }

    func expectAgreement(_ location: SourceLocation = #_sourceLocation) throws {
      let stored = try Side(third.context.container)
      for side in [first, second, third] {
        side.takeIn()
        #expect(!side.context.hasChanges, sourceLocation: location)
        let known = Set(side.lists.map { $0.prefix { $0 != ":" } })
        #expect(side.lists == stored.lists.filter { known.contains($0.prefix { $0 != ":" }) }, sourceLocation: location)
      }
    }
  }

  @Test("Members that two contexts append are in the order of the saves", arguments: Interlude.allCases)
  func additions(interlude: Interlude) throws {
    let desk = try Desk()
    desk.first.authors[0].books.append(Book(isbn: "first", title: ""))
    desk.second.authors[0].books.append(Book(isbn: "second", title: ""))
    try desk.save(interlude)
    try desk.expectAgreement()
    #expect(desk.third.authors[0].books.map(\.isbn) == ["0.1", "0.2", "0.3", "first", "second"])
  }

  @Test("Members that two contexts move are where the later save puts them", arguments: Interlude.allCases)
  func moves(interlude: Interlude) throws {
    let desk = try Desk()
    try desk.first.book("0.2").author = desk.first.authors[1]
    try desk.first.book("0.3").author = desk.first.authors[1]
    try desk.second.book("0.2").author = nil
    try desk.second.book("0.1").author = desk.second.authors[1]
    try desk.save(interlude)
    try desk.expectAgreement()
    #expect(desk.third.authors.map { $0.books.map(\.isbn) } == [[], ["1.1", "1.2", "1.3", "0.3", "0.1"]])
  }

  @Test("A link that one context removes and a later save adds is present", arguments: Interlude.allCases)
  func links(interlude: Interlude) throws {
    let desk = try Desk()
    let isbn = "0.2"
    desk.first.tags[0].books.removeAll { $0.isbn == isbn }
    desk.first.tags[1].books.append(try desk.first.book("0.1"))
    try desk.save(interlude) { [second = desk.second] in
      try second.context.refresh(second.tags[0])
      #expect(second.tags[0].books.map(\.isbn) == ["0.1", "0.3"])
      second.tags[0].books.append(try second.book(isbn))
      second.tags[1].books.append(try second.book("0.3"))
    }
    try desk.expectAgreement()
    #expect(desk.third.tags[0].books.map(\.isbn) == ["0.1", "0.3", "0.2"])
    #expect(desk.third.tags[1].books.map(\.isbn) == ["1.1", "1.2", "1.3", "0.1", "0.3"])
  }

  @Test("A member that one context confirms and an earlier save has moved returns to the end of its list")
  func confirmations() throws {
    let desk = try Desk()
    try desk.first.book("0.1").author = desk.first.authors[0]
    desk.second.authors[1].books.append(try desk.second.book("0.1"))
    try desk.second.context.save()
    try desk.first.context.save()
    try desk.expectAgreement()
    for side in [desk.first, desk.second, desk.third] {
      #expect(side.authors.map { $0.books.map(\.isbn) } == [["0.2", "0.3", "0.1"], ["1.1", "1.2", "1.3"]])
    }
  }

  @Test("A member that two contexts add to a list is in it once")
  func addedTwice() throws {
    let desk = try Desk()
    // It has the list in memory, and not the member.
    let reader = ModelContext(desk.third.context.container)
    let author = try reader.all(Author.self, by: \.name)[1]
    #expect(author.books.count == 3)
    desk.first.authors[1].books.append(try desk.first.book("0.1"))
    desk.second.authors[1].books.append(try desk.second.book("0.1"))
    try desk.first.context.save(interruptedBy: desk.second.context)
    reader.processPendingChanges()
    #expect(author.books.map(\.isbn) == ["1.1", "1.2", "1.3", "0.1"])
    try desk.expectAgreement()
  }

  @Test("Members saved by another context during a save precede the ones that this save appends")
  func savesInBetween() throws {
    let desk = try Desk()
    desk.first.authors[0].books.append(Book(isbn: "mine", title: ""))
    desk.first.tags[0].books.append(try desk.first.book("1.1"))
    desk.second.authors[0].books.append(Book(isbn: "theirs", title: ""))
    desk.second.tags[0].books.append(try desk.second.book("1.2"))
    try desk.first.context.save(interruptedBy: desk.second.context)
    try desk.expectAgreement()
    #expect(desk.first.authors[0].books.map(\.isbn) == ["0.1", "0.2", "0.3", "theirs", "mine"])
    #expect(desk.first.tags[0].books.map(\.isbn) == ["0.1", "0.2", "0.3", "1.2", "1.1"])
  }

  @Test("Another context's change to a wide row during a save of another property is kept")
  func savesOfWideRows() throws {
    let container = try makeContainer(Wide.WideSwapRow.self, Wide.WideSwapFriend.self)
    let (mine, theirs) = (ModelContext(container), ModelContext(container))
    mine.insert(Wide.WideSwapRow("row", 1))
    try mine.save()
    let (row, other) = (try mine.only(Wide.WideSwapRow.self), try theirs.only(Wide.WideSwapRow.self))
    // Both properties share the last bit of the dirty mask.
    row.name = "mine"
    other.code = 2
    try mine.save(interruptedBy: theirs)
    for side in [mine, theirs] { side.processPendingChanges() }
    let stored = try container.freshContext().only(Wide.WideSwapRow.self)
    for row in [row, other, stored] {
      #expect(row.name == "mine")
      #expect(row.code == 2)
    }
  }

  @Test("Reordering a list leaves a member that another context has moved in its new list")
  func orderOfMoved() throws {
    let desk = try Desk()
    desk.first.authors[0].books.reverse()
    desk.second.authors[1].books.append(try desk.second.book("0.1"))
    desk.second.authors[1].books.append(Book(isbn: "last", title: ""))
    try desk.first.context.save(interruptedBy: desk.second.context)
    try desk.expectAgreement()
    for side in [desk.first, desk.second, desk.third] {
      #expect(side.authors.map { $0.books.map(\.isbn) } == [["0.3", "0.2"], ["1.1", "1.2", "1.3", "0.1", "last"]])
    }
  }
}
