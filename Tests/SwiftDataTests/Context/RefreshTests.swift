import SwiftData
import Testing

@testable import TestSupport

@Suite("Refreshing what other contexts of the container save")
struct RefreshTests {
  /// Two contexts that have both fetched an author with one book.
  private func contexts() throws -> (mine: ModelContext, theirs: ModelContext, author: Author, book: Book) {
    let container = try makeLibrary()
    let theirs = ModelContext(container)
    let author = Author(name: "A", born: 1)
    author.books = [Book(isbn: "1", title: "One")]
    theirs.insert(author)
    try theirs.save()
    let mine = ModelContext(container)
    let found = try mine.only(Author.self)
    return (mine, theirs, found, found.books[0])
  }

  @Test("Another context's save refreshes clean models")
  func clean() throws {
    let (mine, theirs, author, book) = try contexts()
    #expect(book.title == "One")
    try theirs.only(Author.self).name = "changed"
    try theirs.only(Book.self).title = "changed"
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.name == "changed")
    #expect(book.title == "changed")
    #expect(!mine.hasChanges)
  }

  @Test("Another context's save refreshes members that were prefetched with a partly read owner")
  func prefetchedWithPart() throws {
    let container = try makeRelations()
    let theirs = ModelContext(container)
    let list = Playlist("p")
    list.tracks = [Track("a")]
    theirs.insert(list)
    let other = Track("b")
    theirs.insert(other)
    try theirs.save()
    let mine = ModelContext(container)
    var descriptor = FetchDescriptor<Playlist>()
    descriptor.propertiesToFetch = [\.name]
    descriptor.relationshipKeyPathsForPrefetching = [\.tracks]
    let found = try #require(try mine.fetch(descriptor).first)
    list.tracks.append(other)
    try theirs.save()
    mine.processPendingChanges()
    _ = try mine.fetch(FetchDescriptor<Playlist>())
    #expect(found.tracks.map(\.title) == ["a", "b"])
    found.tracks = []
    try mine.save()
    #expect(try ModelContext(container).only(Playlist.self).tracks.isEmpty)
  }

  @Test("Another context's save keeps pending changes, and the last save wins property by property")
  func dirty() throws {
    let (mine, theirs, author, _) = try contexts()
    author.name = "mine"
    let other = try theirs.only(Author.self)
    other.name = "theirs"
    other.born = 2
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.name == "mine")
    #expect(author.born == 2)
    try mine.save()
    #expect(try theirs.only(Author.self).name == "mine")
    #expect(other.born == 2)
  }

  @Test("Another context's save refreshes to-many relationships", arguments: [true, false])
  func members(fromTheParent: Bool) throws {
    let (mine, theirs, author, _) = try contexts()
    let other = try theirs.only(Author.self)
    let added = Book(isbn: "2", title: "Two")
    if fromTheParent { other.books.append(added) } else { added.author = other }
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.books.map(\.isbn) == ["1", "2"])
    other.books = []
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.books.isEmpty)
  }

  @Test("A model that another context deletes is detached and keeps its last values")
  func deletions() throws {
    let (mine, theirs, author, book) = try contexts()
    #expect(book.title == "One")
    theirs.delete(try theirs.only(Book.self))
    try theirs.save()
    mine.processPendingChanges()
    #expect(author.books.isEmpty)
    #expect(book.modelContext == nil)
    #expect(book.title == "One")
    book.title = "ignored"
    #expect(book.title == "One")
    #expect(!mine.hasChanges)
  }

  @Test("A model that another context deletes is detached even with pending changes")
  func deletedWithEdits() throws {
    let (mine, theirs, author, book) = try contexts()
    book.title = "mine"
    author.name = "mine"
    theirs.delete(try theirs.only(Book.self))
    try theirs.save()
    mine.processPendingChanges()
    #expect(mine.changedModelsArray.count == 1)
    try mine.save()
    #expect(try theirs.only(Author.self).name == "mine")
    #expect(try theirs.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test("A fetch merges what another context saved")
  func fetching() throws {
    let (mine, theirs, author, _) = try contexts()
    try theirs.only(Author.self).name = "changed"
    theirs.insert(Author(name: "new"))
    try theirs.save()
    #expect(try mine.all(Author.self, by: \.name).map(\.name) == ["changed", "new"])
    #expect(author.name == "changed")
  }

  @Test("An insertion that another context rolls back is never visible")
  func rolledBack() throws {
    let (mine, theirs, author, _) = try contexts()
    theirs.insert(Author(name: "never"))
    theirs.rollback()
    mine.processPendingChanges()
    #expect(try mine.fetchCount(FetchDescriptor<Author>()) == 1)
    #expect(author.name == "A")
  }

  @Test("A fetch merges what another container saved")
  func otherContainer() throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContext {
      ModelContext(try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.file())))
    }
    let first = try open()
    let second = try open()
    first.insert(Tag("a"))
    try first.save()
    let tag = try second.only(Tag.self)
    #expect(tag.word == "a")
    try first.only(Tag.self).word = "b"
    try first.save()
    #expect(try second.only(Tag.self).word == "b")
    first.delete(try first.only(Tag.self))
    try first.save()
    #expect(try second.fetch(FetchDescriptor<Tag>()).isEmpty)
    #expect(tag.word == "b")
    // The second container may be notified before the save, and then the model is detached.
    tag.word = "c"
    do { try second.save() } catch { #expect(error as? SwiftDataError == .modelValidationFailure) }
    second.rollback()
    try second.save()
  }
}
