import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("The models of one fetch as a group")
struct FetchGroupTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeLibrary()
    let filling = ModelContext(container)
    for number in 0..<5 { filling.insert(Book(isbn: "\(number)", title: "t")) }
    try filling.save()
    context = ModelContext(container)
  }

  private func group(of model: any PersistentModel) throws -> FetchGroup {
    try #require(model._$withState { $0.group })
  }

  @Test("A group is there for as long as one of its models, and goes with the last")
  func lifetime() throws {
    var books = try context.all(Book.self, by: \.isbn)
    weak let group = try group(of: books[0])
    #expect(books.allSatisfy { $0._$withState { $0.group } === group })
    books.removeFirst(4)
    #expect(group?.keys.count == 5)
    books = []
    #expect(group == nil)
  }

  @Test("Models that are fetched again belong to the group of the later fetch, and the earlier one goes")
  func later() throws {
    let books = try context.all(Book.self, by: \.isbn)
    weak let first = try group(of: books[0])
    let again = try context.all(Book.self, by: \.isbn)
    #expect(first == nil)
    weak let second = try group(of: books[0])
    #expect(second?.keys.count == 5)
    // Of the same group, once more.
    for book in books { book._$withState { state in second.map { state.join($0, at: state.groupPosition) } } }
    #expect(try group(of: books[4]) === second)
    #expect(again.map(\.isbn) == books.map(\.isbn))
  }

  @Test("A model that leaves the context leaves its group")
  func leaving() throws {
    let books = try context.all(Book.self, by: \.isbn)
    weak let group = try group(of: books[0])
    for book in books { context.delete(book) }
    #expect(group != nil)
    try context.save()
    #expect(group == nil)
    #expect(books.allSatisfy { $0.modelContext == nil })
  }

  @Test("Models that outlive their context keep their group, and let go of it when they go")
  func outliving() throws {
    var context: ModelContext? = ModelContext(container)
    var books = try #require(try context?.all(Book.self, by: \.isbn))
    weak let group = try group(of: books[0])
    context = nil
    #expect(group != nil)
    #expect(books.map(\.isbn) == ["0", "1", "2", "3", "4"])
    books = []
    #expect(group == nil)
  }

  @Test(
    "Keys come back as they were added",
    arguments: [
      [], [7], [0], [0, 1, 2], [5, 6, 7, 8], [5, 6, 8, 9], [5, 5], [9, 8, 7], [0, 5, 6], [-3, -2, -1, 0, 1, 7],
      [.max], [.max - 1, .max, .min], [1, 2, 3, .max],
    ] as [[Int64]])
  func keys(_ keys: [Int64]) {
    var appended = KeySeries()
    for key in keys { appended.append(key) }
    for var series in [appended, KeySeries(keys)] {
      #expect(Array(series) == keys)
      #expect(series.count == keys.count)
      #expect(keys.indices.allSatisfy { series[$0] == keys[$0] })
      #expect(Array(series[(keys.count / 2)...]) == Array(keys[(keys.count / 2)...]))
      for key in [8, 9, -1] as [Int64] { series.append(key) }
      #expect(Array(series) == keys + [8, 9, -1])
    }
  }
}
