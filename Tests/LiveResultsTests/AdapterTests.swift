import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// A list of a toolkit that does not know models: it has rows, and changes them as requested.
@MainActor
final class FakeList<Element: PersistentModel>: @MainActor ResultsAdapter {
  /// The text that a row shows of its model.
  let text: (Element) -> String
  /// The models that the rows show.
  private(set) var rows: [Element] = []
  private(set) var texts: [String] = []
  private(set) var differences: [ResultsDifference] = []
  private(set) var restarts = 0

  init(_ text: @escaping (Element) -> String) {
    self.text = text
  }

  func show(_ results: FetchResultsCollection<Element>) {
    rows = Array(results)
    texts = rows.map(text)
    restarts += 1
  }

  func show(_ results: FetchResultsCollection<Element>, changedBy difference: ResultsDifference) {
    differences.append(difference)
    rows = rows.applying(difference) { results[$0] }
    texts = texts.applying(difference) { text(results[$0]) }
    for position in difference.updated { texts[position] = text(results[position]) }
  }
}

extension FakeList where Element == Book {
  convenience init() {
    self.init(\.title)
  }

  var titles: [String] { texts }
}

extension Array {
  /// Applies a difference, as a list does.
  func applying(_ difference: ResultsDifference, _ inserted: (Int) -> Element) -> [Element] {
    var rows = self
    for position in (difference.removed + difference.moved.map(\.from)).sorted().reversed() {
      rows.remove(at: position)
    }
    let arriving = difference.inserted.map { ($0, inserted($0)) } + difference.moved.map { ($0.to, self[$0.from]) }
    for (position, row) in arriving.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: position) }
    return rows
  }
}

/// Adapters to toolkits, which receive differences.
@Suite("Adapters")
@MainActor
struct AdapterTests {
  private let library: ModelContainer
  private let context: ModelContext
  private let observer: ResultsObserver<Book, Never>
  private let list = FakeList()

  init() throws {
    library = try makeLibrary()
    context = library.mainContext
    context.autosaveEnabled = false
    for (number, title) in ["a", "b", "c", "d"].enumerated() {
      context.insert(Book(isbn: title, title: title, pages: number))
    }
    try context.save()
    observer = try ResultsObserver(sortBy: [SortDescriptor(\.title)], modelContext: context)
  }

  @Test("An adapter receives the first results at once, and then the difference of each change")
  func showsDifferences() throws {
    let connection = observer.connect(list)
    #expect(list.titles == ["a", "b", "c", "d"])
    #expect(list.restarts == 1)
    let books = list.rows
    context.delete(books[1])
    books[0].title = "z"
    let new = Book(isbn: "new", title: "bb")
    context.insert(new)
    books[3].pages = 17
    connection.update()
    #expect(list.titles == ["bb", "c", "d", "z"])
    let difference = try #require(list.differences.first)
    #expect(list.differences.count == 1)
    #expect(difference.removed == [1])
    #expect(difference.inserted == [0])
    #expect(difference.moved == [ResultsDifference.Move(from: 0, to: 3)])
    #expect(difference.updated == [2, 3])
    // A save changes identifiers, and no shown values.
    try context.save()
    connection.update()
    #expect(list.differences.count == 1)
    #expect(list.rows[0] === new)
    new.pages = 3
    connection.update()
    #expect(list.differences.last == ResultsDifference(updated: [0]))
  }

  @Test("All changes of a turn, including other contexts' saves, make one difference")
  func coalescesTurns() async throws {
    let connection = observer.connect(list)
    let other = ModelContext(library)
    for number in 0..<10 {
      other.insert(Book(isbn: "\(number)", title: "e\(number)"))
      try other.save()
    }
    #expect(list.differences.isEmpty)
    #expect(await comesTrue { list.rows.count == 14 })
    #expect(list.differences.map(\.inserted) == [Array(4..<14)])
    withExtendedLifetime(connection) {}
  }

  @Test("Changes are coalesced for the given interval")
  func coalescesByTime() async throws {
    let connection = observer.connect(list, coalescing: .seconds(3600))
    let impatient = FakeList()
    let other = observer.connect(impatient, coalescing: .milliseconds(1))
    for number in 0..<20 {
      list.rows[0].title += "\(number)"
      try context.save()
      await Task.yield()
    }
    #expect(await comesTrue { !impatient.differences.isEmpty })
    #expect(list.differences.isEmpty)
    connection.update()
    #expect(list.differences == [ResultsDifference(updated: [0])])
    connection.cancel()
    context.delete(list.rows[0])
    connection.update()
    #expect(list.differences.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test("A new condition restarts the adapter with the new results")
  func restarts() {
    let connection = observer.connect(list)
    observer.filterBy = #Predicate { $0.pages > 1 }
    #expect(list.restarts == 2)
    #expect(list.titles == ["c", "d"])
    observer.sortBy = [SortDescriptor(\.pages, order: .reverse)]
    #expect(list.titles == ["d", "c"])
    list.rows[0].pages = 0
    connection.update()
    #expect(list.differences == [ResultsDifference(removed: [0])])
  }

  @Test("Releasing the connection ends it, and it does not retain the adapter")
  func isReleased() throws {
    var connection: ResultsConnection? = observer.connect(list)
    weak var released: FakeList<Book>?
    do {
      let other = FakeList()
      released = other
      connection = observer.connect(other)
    }
    #expect(released == nil)
    connection = nil
    list.rows[0].title = "z"
    _ = observer.results
    #expect(list.differences.isEmpty)
    #expect(connection == nil)
  }

  @Test("Rows entering a page replace the ones leaving it")
  func followsPages() throws {
    var page = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    (page.fetchLimit, page.fetchOffset) = (2, 1)
    let observer = try ResultsObserver(fetchDescriptor: page, modelContext: context)
    let connection = observer.connect(list)
    #expect(list.titles == ["b", "c"])
    context.delete(list.rows[0])
    connection.update()
    #expect(list.titles == ["c", "d"])
    #expect(list.differences == [ResultsDifference(removed: [0], inserted: [1])])
  }

  @Test("A fetch on another thread has the same results as one in the isolation", arguments: [false, true])
  func loads(hasChanges: Bool) async throws {
    if hasChanges { context.insert(Book(isbn: "e", title: "e")) }
    let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    async let saving: Void = Self.save("f", library)
    let loaded = try await ResultsObserver.load(fetchDescriptor: descriptor, modelContext: context)
    try await saving
    #expect(loaded.results.map(\.title) == ["a", "b", "c", "d"] + (hasChanges ? ["e"] : []) + ["f"])
    loaded.results[0].title = "z"
    #expect(loaded.results.last?.title == "z")
    let sections = try await ResultsObserver.load(
      fetchDescriptor: descriptor, sectionBy: \.title, modelContext: context)
    #expect(sections.sections?.sectionTitles == loaded.results.map(\.title))
  }

  private nonisolated static func save(_ title: String, _ library: ModelContainer) async throws {
    let context = ModelContext(library)
    context.insert(Book(isbn: title, title: title))
    try context.save()
  }

  @Test("Code that reads results observes the results, and not the properties that conditions use")
  func observesResultsOnly() throws {
    observer.filterBy = #Predicate { $0.pages < 3 && $0.title != "x" }
    #expect(observer.results.count == 3)
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    books[0].pages = 1
    let counter = Counter()
    withObservationTracking {
      _ = observer.results
    } onChange: {
      counter.add()
    }
    books[0].pages = 0
    #expect(observer.results.count == 3)
    #expect(counter.count == 0)
    books[0].pages = 5
    #expect(observer.results.count == 2)
    #expect(counter.count == 1)
  }
}
