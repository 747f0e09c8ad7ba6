import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Fetch groups: the models of one fetch")
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

  @Test("A fetch group lives as long as one of its models")
  func lifetime() throws {
    var books = try context.all(Book.self, by: \.isbn)
    weak let group = try group(of: books[0])
    #expect(books.allSatisfy { $0._$withState { $0.group } === group })
    books.removeFirst(4)
    #expect(group?.keys.count == 5)
    books = []
    #expect(group == nil)
  }

  @Test("Models that are fetched again move to the later fetch's group, and the earlier group is released")
  func later() throws {
    let books = try context.all(Book.self, by: \.isbn)
    weak let first = try group(of: books[0])
    let again = try context.all(Book.self, by: \.isbn)
    #expect(first == nil)
    weak let second = try group(of: books[0])
    #expect(second?.keys.count == 5)
    // The same group, now at the second position.
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

  @Test("Models that outlive their context keep their group, and release it when they are released")
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
    "A key series returns keys in the order in which they were added",
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
