import Foundation
import SwiftData
import Testing

@Model
final class Item {
  var title: String
  var list: String?
  var date: Date
  var isDone = false

  init(title: String, list: String? = nil, date: Date = .now) {
    self.title = title
    self.list = list
    self.date = date
  }
}

@MainActor
final class TaskBoard: Observable {
  @Query var all: [Item]
  @Query(filter: #Predicate<Item> { !$0.isDone }, sort: \.date, order: .reverse) var open: [Item]
  @Query(sort: [SortDescriptor(\Item.title), SortDescriptor(\.date)]) var byTitle: [Item]
  @Query(TaskBoard.latest) var latest: [Item]  // a FetchDescriptor
  @Query(sort: \Item.date, sectionBy: \.list) var lists: SectionedResults<Item, String>

  static var latest: FetchDescriptor<Item> {
    var descriptor = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.date, order: .reverse)])
    descriptor.fetchLimit = 10
    return descriptor
  }
}

extension TaskBoard {
  func delete(at offsets: IndexSet) {
    for index in offsets { _open.modelContext.delete(open[index]) }
  }
}

struct Search {
  @Query var found: [Item]

  init(_ text: String, in context: ModelContext? = nil) {
    _found = Query(filter: #Predicate { $0.title.localizedStandardContains(text) }, sort: \.title, context: context)
  }
}

actor Secretary {
  @Query(sort: \Item.date) private var items: [Item]

  func titles() throws -> [String] {
    let titles = items.map(\.title)
    if let error = _items.fetchError { throw error }
    return titles
  }
}

struct BoardView: View {
  @State var board: TaskBoard

  var body: some View {
    VStack {
      ForEach(board.open, id: \.persistentModelID) { item in
        Button(item.title) { item.isDone = true }
      }
    }
  }
}

@Suite("The guide to queries")
@MainActor
struct QueriesGuideTests {
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(testing: [Item.self])
    for (number, title) in ["Bread", "Milk", "Ink"].enumerated() {
      let item = Item(
        title: title, list: number == 2 ? "Office" : nil, date: Date(timeIntervalSince1970: Double(number)))
      container.mainContext.insert(item)
    }
    try container.mainContext.save()
  }

  @Test("Query results keep deleted models until the save")
  func board() throws {
    let board = withModelContainer(container) { TaskBoard() }
    #expect(board.all.count == 3)
    #expect(board.open.map(\.title) == ["Ink", "Milk", "Bread"])
    #expect(board.byTitle.map(\.title) == ["Bread", "Ink", "Milk"])
    #expect(board.latest.map(\.title) == ["Ink", "Milk", "Bread"])
    #expect(board.lists.sectionTitles == ["", "Office"])
    board.delete(at: [0, 2])
    #expect(board.open.map(\.title) == ["Ink", "Milk", "Bread"])
    try container.mainContext.save()
    #expect(board.open.map(\.title) == ["Milk"])
  }

  @Test("A structure's query uses its initializer's parameters, and an actor's query its own context")
  func otherTypes() async throws {
    #expect(Search("I", in: container.mainContext).found.map(\.title) == ["Ink", "Milk"])
    let secretary = withModelContainer(container) { Secretary() }
    #expect(try await secretary.titles() == ["Bread", "Milk", "Ink"])
    await #expect(throws: SwiftDataError.unknownSchema) { try await Secretary().titles() }
  }

  @Test("A view shows the open items")
  func view() throws {
    let view = BoardView(board: withModelContainer(container) { TaskBoard() })
    let buttons = try #require(view.body as? VStack<ForEach<[Item], PersistentIdentifier, Button>>).body.body
    #expect(buttons.map(\.body) == ["Ink", "Milk", "Bread"])
    buttons[1].action()
    #expect(view.board.open.map(\.title) == ["Ink", "Bread"])
  }
}

// MARK: In place of SwiftCrossUI

@MainActor
protocol View {
  associatedtype Content
  var body: Content { get }
}

@propertyWrapper
struct State<Value> {
  var wrappedValue: Value
}

struct VStack<Child: View>: View {
  let body: Child

  init(_ child: () -> Child) {
    body = child()
  }
}

struct ForEach<Items: Collection, ID: Hashable, Child: View>: View {
  let body: [Child]

  init(_ items: Items, id: KeyPath<Items.Element, ID>, _ child: (Items.Element) -> Child) {
    body = items.map(child)
  }
}

struct Button: View {
  let body: String
  let action: @MainActor () -> Void

  init(_ label: String, action: @escaping @MainActor () -> Void) {
    body = label
    self.action = action
  }
}
