import Foundation
import SwiftData
import Testing

@Model
final class Order {
  @Attribute(.unique, .preserveValueOnDeletion) var number: Int
  var customer: String
  var isPaid = false
  @Relationship(deleteRule: .cascade, inverse: \OrderLine.order) var lines: [OrderLine] = []

  init(number: Int, customer: String) {
    self.number = number
    self.customer = customer
  }
}

@Model
final class OrderLine {
  var item: String
  var order: Order?

  init(item: String) {
    self.item = item
  }
}

extension ModelContext {
  /// A context whose saves have an author in the history.
  convenience init(_ container: ModelContainer, author: String) {
    self.init(container)
    self.author = author
  }
}

/// A message about an order to another service.
enum OrderMessage: Hashable, Sendable {
  /// Clears all orders; the existing orders follow.
  case reset
  case placed(number: Int, customer: String)
  case paid(number: Int)
  case gone(number: Int)
}

/// The progress of a worker, kept between runs of the program.
struct Bookmark: Sendable {
  let file: URL

  func read() throws -> DefaultHistoryToken? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: file))
  }

  func write(_ token: DefaultHistoryToken) throws {
    try JSONEncoder().encode(token).write(to: file, options: .atomic)
  }
}

/// Sends another service the app's changes to orders.
@ModelActor
actor OrderWorker {
  typealias Send = @Sendable (OrderMessage) throws -> Void

  /// Sends the changes since the last time.
  func catchUp(_ bookmark: Bookmark, send: Send) throws {
    guard var token = try bookmark.read() else { return try sendAll(bookmark, send) }
    do {
      while let last = try work(after: token, send) {
        try bookmark.write(last)
        token = last
      }
    } catch SwiftDataError.historyTokenExpired {
      try sendAll(bookmark, send)
    }
  }

  /// Sends the changes of the app's next transactions.
  ///
  /// - Returns: The token of the last one; nil when there is none.
  private func work(after token: DefaultHistoryToken, _ send: Send) throws -> DefaultHistoryToken? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.token > token && $0.author == "app" })
    descriptor.fetchLimit = 100
    let transactions = try modelContext.fetchHistory(descriptor)
    let changes = transactions.flatMap(\.changes)
    let orders = try orders(changes.map(\.changedPersistentIdentifier))
    for change in changes {
      let order = orders[change.changedPersistentIdentifier]
      switch change {
      case .insert(_ as DefaultHistoryInsert<Order>):
        if let order { try send(.placed(number: order.number, customer: order.customer)) }
      case .update(let update as DefaultHistoryUpdate<Order>):
        guard let order, order.isPaid, update.updatedAttributes.contains(\.isPaid) else { continue }
        try send(.paid(number: order.number))
      case .delete(let deletion as DefaultHistoryDelete<Order>):
        if let number = deletion.tombstone[\.number] as? Int { try send(.gone(number: number)) }
      default:
        continue
      }
    }
    return transactions.last?.token
  }

  /// The orders that still exist, in their current state.
  private func orders(_ identifiers: [PersistentIdentifier]) throws -> [PersistentIdentifier: Order] {
    let descriptor = FetchDescriptor<Order>(predicate: #Predicate { identifiers.contains($0.persistentModelID) })
    let orders = try modelContext.fetch(descriptor)
    return Dictionary(uniqueKeysWithValues: orders.map { ($0.persistentModelID, $0) })
  }

  /// Sends all existing orders, and continues after them.
  private func sendAll(_ bookmark: Bookmark, _ send: Send) throws {
    var latest = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 1
    // Read before the orders: a save in between is sent twice, and never missed.
    let token = try modelContext.fetchHistory(latest).first?.token
    try send(.reset)
    for order in try modelContext.fetch(FetchDescriptor<Order>(sortBy: [SortDescriptor(\.number)])) {
      try send(.placed(number: order.number, customer: order.customer))
      if order.isPaid { try send(.paid(number: order.number)) }
    }
    if let token { try bookmark.write(token) }
  }

  /// Sends changes whenever there are some, until the task is cancelled.
  func run(_ bookmark: Bookmark, send: Send) async throws {
    let observer = try HistoryObserver(observedModels: [Order.self], authors: ["app"], modelContainer: modelContainer)
    for await _ in Observations({ observer.eventCounter }) {
      try catchUp(bookmark, send: send)
    }
  }
}

/// The identifiers of the changed models of a class, in any store.
func changedIdentifiers<Model: PersistentModel>(
  of type: Model.Type, in transactions: [some HistoryTransaction]
) -> Set<PersistentIdentifier> {
  var identifiers: Set<PersistentIdentifier> = []
  for change in transactions.flatMap(\.changes) {
    switch change {
    case .insert(_ as any HistoryInsert<Model>), .update(_ as any HistoryUpdate<Model>),
      .delete(_ as any HistoryDelete<Model>):
      identifiers.insert(change.changedPersistentIdentifier)
    default:
      continue
    }
  }
  return identifiers
}

/// The messages that a worker has sent.
private struct Outbox: Sendable {
  let send: OrderWorker.Send
  private let messages: AsyncStream<OrderMessage>
  private let end: @Sendable () -> Void

  init() {
    let (messages, continuation) = AsyncStream<OrderMessage>.makeStream()
    self.messages = messages
    send = { continuation.yield($0) }
    end = { continuation.finish() }
  }

  /// Closes the outbox and returns all messages.
  func all() async -> [OrderMessage] {
    end()
    return await messages.reduce(into: []) { $0.append($1) }
  }

  /// Waits for a message and returns all messages up to it.
  func messages(through last: OrderMessage) async -> [OrderMessage] {
    var found: [OrderMessage] = []
    for await message in messages {
      found.append(message)
      if message == last { break }
    }
    return found
  }
}

@Suite("Orders, as the guide on history follows them")
final class HistoryGuideTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID().uuidString)")
  private let container: ModelContainer
  private let app: ModelContext
  private var bookmark: Bookmark { Bookmark(file: folder.appending(path: "worker.json")) }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try Self.open(folder.appending(path: "orders.store"))
    app = ModelContext(container, author: "app")
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private static func open(_ file: URL) throws -> ModelContainer {
    let configuration = ModelConfiguration(
      url: file, options: .init(history: .limited(age: .seconds(7 * 86_400), count: 100_000)))
    return try ModelContainer(for: Order.self, configurations: configuration)
  }

  private func place(_ number: Int, _ customer: String) throws {
    let order = Order(number: number, customer: customer)
    app.insert(order)
    order.lines = [OrderLine(item: "A"), OrderLine(item: "B")]
    try app.save()
  }

  private func order(_ number: Int) throws -> Order {
    try #require(try app.fetch(FetchDescriptor<Order>(predicate: #Predicate { $0.number == number })).first)
  }

  /// The messages of a new worker, as after a restart of the program.
  private func sent() async throws -> [OrderMessage] {
    let outbox = Outbox()
    try await OrderWorker(modelContainer: container).catchUp(bookmark, send: outbox.send)
    return await outbox.all()
  }

  @Test("A worker sends each change once, across its runs")
  func runs() async throws {
    try place(1, "Ada")
    #expect(try await sent() == [.reset, .placed(number: 1, customer: "Ada")])
    #expect(try await sent() == [])
    try place(2, "Grace")
    try order(1).isPaid = true
    try app.save()
    try order(1).customer = "Ada L."
    try app.save()
    #expect(try await sent() == [.placed(number: 2, customer: "Grace"), .paid(number: 1)])
    app.delete(try order(2))
    try app.save()
    #expect(try await sent() == [.gone(number: 2)])
    #expect(try await sent() == [])
  }

  @Test("For an order that is inserted and deleted between two runs, a worker sends the deletion")
  func shortLived() async throws {
    try place(1, "Ada")
    _ = try await sent()
    try place(2, "Grace")
    app.delete(try order(2))
    try app.save()
    #expect(try await sent() == [.gone(number: 2)])
  }

  @Test("A worker ignores the saves of other authors")
  func authors() async throws {
    try place(1, "Ada")
    _ = try await sent()
    let other = ModelContext(container, author: "worker")
    other.insert(Order(number: 7, customer: "Edsger"))
    try other.save()
    #expect(try await sent() == [])
    let author = "worker"
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.author == author }, sortBy: [SortDescriptor(\.timestamp, order: .reverse)])
    descriptor.fetchLimit = 10
    #expect(try app.fetchHistory(descriptor).map(\.author) == ["worker"])
  }

  @Test("A worker repeats a message that the service refused")
  func failure() async throws {
    struct Refused: Error {}
    let refuse: OrderWorker.Send = { _ in throw Refused() }
    try place(1, "Ada")
    _ = try await sent()
    try place(2, "Grace")
    let worker = OrderWorker(modelContainer: container)
    let bookmark = bookmark
    await #expect(throws: Refused.self) {
      try await worker.catchUp(bookmark, send: refuse)
    }
    #expect(try await sent() == [.placed(number: 2, customer: "Grace")])
  }

  @Test("After its token has expired, a worker sends all orders")
  func expiry() async throws {
    try place(1, "Ada")
    _ = try await sent()
    try place(2, "Grace")
    app.delete(try order(1))
    try app.save()
    try app.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try place(3, "Edsger")
    #expect(
      try await sent() == [
        .reset, .placed(number: 2, customer: "Grace"), .placed(number: 3, customer: "Edsger"),
      ])
    #expect(try await sent() == [])
  }

  @Test("History is deleted up to a token, which stays valid")
  func deletion() async throws {
    for number in 1...4 { try place(number, "Ada") }
    _ = try await sent()
    let token = try #require(try bookmark.read())
    try place(5, "Grace")
    try app.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
    #expect(try app.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
    #expect(try await sent() == [.placed(number: 5, customer: "Grace")])
  }

  @Test("Changes have the classes of their models, and the deletion of an order has its number")
  func changes() throws {
    try place(1, "Ada")
    let identifier = try order(1).persistentModelID
    app.delete(try order(1))
    try app.save()
    let transactions = try app.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(changedIdentifiers(of: Order.self, in: transactions) == [identifier])
    #expect(changedIdentifiers(of: OrderLine.self, in: transactions).count == 2)
    for case .delete(let deletion as DefaultHistoryDelete<Order>) in transactions.flatMap(\.changes) {
      #expect(deletion.tombstone.map { $0 as? Int } == [1])
      #expect(deletion.tombstone[\.customer] == nil)
    }
  }

  @Test("A running worker sends the changes that another container saves", .timeLimit(.minutes(1)))
  func following() async throws {
    let outbox = Outbox()
    let worker = OrderWorker(modelContainer: try Self.open(folder.appending(path: "orders.store")))
    let task = Task { [bookmark] in try await worker.run(bookmark, send: outbox.send) }
    try place(1, "Ada")
    let first = await outbox.messages(through: .placed(number: 1, customer: "Ada"))
    #expect(first.first == .reset)
    try order(1).isPaid = true
    try app.save()
    #expect(await outbox.messages(through: .paid(number: 1)).last == .paid(number: 1))
    task.cancel()
    // A fetch that is cancelled throws.
    _ = await task.result
  }

  @Test("Reading the history of a store without one is an error")
  func none() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true, options: .init(history: .none))
    let context = ModelContext(try ModelContainer(for: Order.self, configurations: configuration))
    #expect(throws: DataStoreError.unsupportedFeature) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
  }
}
