import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum LiveResultsGuide {
  @Model
  final class Book {
    var title = ""
    var genre = ""
    var date = Date.now
    var isRead = false

    init() {}
  }

  @Model
  final class Order {
    var number = 0
    var isDone = false

    init() {}
  }

  @MainActor
  final class Board {
    private var token: ObservationTracking.Token?
    private var connection: Any?

    func show(_ results: FetchResultsCollection<Item>) {}

    func observe(_ context: ModelContext) throws {
      let observer = try ResultsObserver(
        filterBy: #Predicate<Item> { !$0.isDone },
        sortBy: [SortDescriptor(\.date)],
        modelContext: context
      )
      for item in observer.results { print(item.title) }

      token = withContinuousObservation(options: .didSet) { [weak self] _ in
        self?.show(observer.results)
      }
    }

    func connect(_ observer: ResultsObserver<Item, Never>, _ list: List) {
      connection = observer.connect(list)
    }

    func sections(_ context: ModelContext) throws {
      let observer = try ResultsObserver(
        sortBy: [SortDescriptor(\Item.date)], sectionBy: \Item.list, modelContext: context)
      if let sections = observer.sections {
        for section in sections { print(section.title, section.count) }
      }
    }
  }

  final class List: ResultsAdapter {
    private var rows: [String] = []

    func show(_ results: FetchResultsCollection<Item>) { rows = results.map(\.title) }

    func show(_ results: FetchResultsCollection<Item>, changedBy difference: ResultsDifference) {
      for position in (difference.removed + difference.moved.map(\.from)).sorted().reversed() {
        rows.remove(at: position)
      }
      for position in (difference.inserted + difference.moved.map(\.to)).sorted() {
        rows.insert(results[position].title, at: position)
      }
      for position in difference.updated { rows[position] = results[position].title }
    }
  }

  @MainActor
  final class Shelf {
    @Query(filter: #Predicate<Book> { $0.isRead }, sort: \.title) var read: [Book]
    @Query(sort: \Book.date, sectionBy: \Book.genre) var genres: SectionedResults<Book, String>
  }

  @MainActor
  static func shelf(_ container: ModelContainer) -> Shelf {
    let shelf = withModelContainer(container) { Shelf() }
    return shelf
  }

  struct Socket {
    func send(_ numbers: [Int]) async throws {}
    func insert(_ id: PersistentIdentifier, _ number: Int, _ position: Int) async throws {}
    func update(_ id: PersistentIdentifier, _ number: Int) async throws {}
    func move(_ id: PersistentIdentifier, _ position: Int) async throws {}
    func remove(_ id: PersistentIdentifier) async throws {}
  }

  static func send(_ container: ModelContainer, _ socket: Socket) async throws {
    let open = FetchDescriptor<Order>(predicate: #Predicate { !$0.isDone }, sortBy: [SortDescriptor(\.number)])
    for try await numbers in container.values(of: open, { $0.number }) {
      try await socket.send(numbers)
    }

    let counts = container.values(following: [Order.self]) { try $0.fetchCount(FetchDescriptor<Order>()) }

    for try await changes in container.changes(of: open, { $0.number }) {
      for change in changes {
        switch change {
        case .inserted(let id, let number, let position): try await socket.insert(id, number, position)
        case .updated(let id, let number, _): try await socket.update(id, number)
        case .moved(let id, _, let position): try await socket.move(id, position)
        case .removed(let id, _): try await socket.remove(id)
        }
      }
    }
    _ = counts
  }
}
