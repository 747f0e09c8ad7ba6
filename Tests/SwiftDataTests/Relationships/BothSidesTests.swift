import SwiftData
import Testing

@testable import TestSupport

/// Whether the models of a test are transient, inserted or saved.
enum Stage: CaseIterable {
  case transient, inserted, saved
}

@Suite("Setting one side of a relationship updates the other at once")
struct BothSidesTests {
  private func models<each Model: PersistentModel>(
    _ stage: Stage, _ container: ModelContainer, _ made: repeat each Model
  ) throws -> (repeat each Model) {
    guard stage != .transient else { return (repeat each made) }
    let context = ModelContext(container)
    // Models do not retain their context.
    contexts.append(context)
    repeat context.insert(each made)
    if stage == .saved { try context.save() }
    return (repeat each made)
  }

  private final class Contexts {
    var all: [ModelContext] = []
    func append(_ context: ModelContext) { all.append(context) }
  }

  private let contexts = Contexts()

  @Test("Either side of a one-to-one sets the other", arguments: Stage.allCases)
  func oneToOne(_ stage: Stage) throws {
    let container = try makeRelations()
    let (ada, bob, passport) = try models(stage, container, Citizen("Ada"), Citizen("Bob"), Passport(1))
    ada.passport = passport
    #expect(passport.holder === ada)
    passport.holder = bob
    #expect(ada.passport == nil)
    #expect(bob.passport === passport)
    bob.passport = nil
    #expect(passport.holder == nil)
  }

  @Test("A new partner of a one-to-one is removed from its old one", arguments: Stage.allCases)
  func oneToOneReplacesPartner(_ stage: Stage) throws {
    let container = try makeRelations()
    let (ada, bob, first, second) = try models(
      stage, container, Citizen("Ada"), Citizen("Bob"), Passport(1), Passport(2))
    ada.passport = first
    bob.passport = second
    ada.passport = second
    #expect(bob.passport == nil)
    #expect(first.holder == nil)
    #expect(second.holder === ada)
  }

  @Test("Either side of a one-to-many sets the other", arguments: Stage.allCases)
  func oneToMany(_ stage: Stage) throws {
    let container = try makeLibrary()
    let (author, first, second) = try models(
      stage, container, Author(name: "A"), Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two"))
    first.author = author
    #expect(author.books.map(\.isbn) == ["1"])
    author.books.append(second)
    #expect(second.author === author)
    author.books.removeAll { $0 === first }
    #expect(first.author == nil)
    second.author = nil
    #expect(author.books.isEmpty)
  }

  @Test("A child that moves leaves its old parent", arguments: Stage.allCases, [true, false])
  func moving(_ stage: Stage, fromTheChild: Bool) throws {
    let container = try makeLibrary()
    let (old, new, book) = try models(
      stage, container, Author(name: "Old"), Author(name: "New"), Book(isbn: "1", title: "One"))
    old.books = [book]
    if fromTheChild { book.author = new } else { new.books.append(book) }
    #expect(old.books.isEmpty)
    #expect(new.books.map(\.isbn) == ["1"])
    #expect(book.author === new)
  }

  @Test("Either side of a many-to-many sets the other", arguments: Stage.allCases)
  func manyToMany(_ stage: Stage) throws {
    let container = try makeLibrary()
    let (book, other, tag) = try models(
      stage, container, Book(isbn: "1", title: "One"), Book(isbn: "2", title: "Two"), Tag("red"))
    book.tags.append(tag)
    #expect(tag.books.map(\.isbn) == ["1"])
    tag.books.append(other)
    #expect(other.tags.map(\.word) == ["red"])
    book.tags = []
    #expect(tag.books.map(\.isbn) == ["2"])
    tag.books = []
    #expect(other.tags.isEmpty)
  }

  @Test("A self-referential relationship sets both sides", arguments: Stage.allCases)
  func selfReferential(_ stage: Stage) throws {
    let container = try makeRelations()
    let (root, branch, leaf) = try models(stage, container, Node("root"), Node("branch"), Node("leaf"))
    branch.parent = root
    branch.children = [leaf]
    #expect(root.children.map(\.name) == ["branch"])
    #expect(leaf.parent === branch)
    leaf.parent = root
    #expect(branch.children.isEmpty)
    #expect(root.children.map(\.name) == ["branch", "leaf"])
  }

  @Test("Several relationships between the same two types are independent", arguments: Stage.allCases)
  func several(_ stage: Stage) throws {
    let container = try makeRelations()
    let (ada, bob, letter) = try models(stage, container, Citizen("Ada"), Citizen("Bob"), Letter("hello"))
    letter.sender = ada
    bob.received.append(letter)
    #expect(ada.sent.count == 1)
    #expect(ada.received.isEmpty)
    #expect(letter.recipient === bob)
    letter.recipient = ada
    #expect(bob.received.isEmpty)
    #expect(ada.received.count == 1)
    #expect(letter.sender === ada)
  }

  @Test("A one-way relationship has no other side", arguments: Stage.allCases)
  func oneWay(_ stage: Stage) throws {
    let container = try makeRelations()
    let (list, other, track) = try models(stage, container, Playlist("a"), Playlist("b"), Track("t"))
    list.tracks.append(track)
    other.tracks.append(track)
    list.favourite = track
    #expect(list.tracks.count == 1)
    #expect(other.tracks.count == 1)
    #expect(other.favourite == nil)
  }
}
