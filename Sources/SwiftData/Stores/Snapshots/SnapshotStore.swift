import Foundation
import Support

/// A custom store as its container sees it.
///
/// The custom store need not be safe to use from several threads: it is asked one thing at a time. `lock` guards it,
/// `generation` and `isClosed`, which is what makes the conformance to `Sendable` hold.
final class SnapshotStore<Custom: DataStore>: Store, @unchecked Sendable {
  let name: String
  let identifier: InternedString
  let schema: Schema
  private let custom: Custom
  private let lock = NSRecursiveLock()
  /// Goes up with every change, so that a session knows when what it remembers is out of date.
  private var generation = 0
  private var isClosed = false
  /// The numbers that stand for keys which are no numbers. They are kept for as long as the store is there.
  private let textKeys = Mutex(TextKeys())

  private struct TextKeys {
    var numbers: [String: Int64] = [:]
    var texts: [String] = []
  }

  init(_ custom: Custom, name: String, schema: Schema) {
    self.custom = custom
    self.name = name
    self.schema = schema
    identifier = InternedString(custom.identifier)
    SnapshotShape.register(schema, ofStore: identifier)
  }

  deinit {
    SnapshotShape.unregister(schema, ofStore: identifier)
  }

  var debugDescription: String {
    "\(name) (\(Custom.self))"
  }

  func makeSession(for editingState: EditingState) -> any StoreSession {
    SnapshotSession(store: self, schema: schema, editingState: editingState)
  }

  func erase(announce: () -> Void) throws {
    try change {
      try $0.erase()
    } announce: { _, _ in
      announce()
    }
  }

  func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    func fetch<Provider: HistoryProviding>(_ provider: Provider) throws -> [T]? {
      guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return nil }
      return try provider.fetchHistory(own) as? [T]
    }
    return try read { custom in try (custom as? any HistoryProviding).flatMap { try fetch($0) } }.answer
  }

  func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    func delete<Provider: HistoryProviding>(_ provider: Provider) throws -> Bool {
      guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return false }
      try provider.deleteHistory(own)
      return true
    }
    return try read { custom in try (custom as? any HistoryProviding).map { try delete($0) } ?? false }.answer
  }

  /// Nobody but the store itself knows what others do to it.
  func follow(
    _ post: @escaping @Sendable (ChangeNotice) -> Void, finish: @escaping @Sendable (any HistoryToken) -> Void
  ) {}
  func stopFollowing() {}

  var canBackUp: Bool { false }

  func backUp(to url: URL) throws {
    throw DataStoreError.unsupportedFeature
  }

  /// A store of the user's own is only asked nothing any more.
  func close() {
    lock.withLock { isClosed = true }
  }

  private func checkOpen(_ operation: SwiftDataError.StoreOperation) throws {
    guard isClosed else { return }
    throw SwiftDataError.storeFailure(operation, store: name, reason: .closed, message: "the container is closed")
  }

  /// Asks the store. Two answers with the same generation are of the same state of the store.
  func read<Answer>(_ body: (Custom) throws -> Answer) throws -> (answer: Answer, generation: Int) {
    lock.lock()
    defer { lock.unlock() }
    try checkOpen(.reading)
    return (try body(custom), generation)
  }

  /// Asks the store to change something.
  ///
  /// - Parameter announce: Given the answer and the generation that the change made, before the store is asked anything
  ///   else, so that contexts are notified of changes in their order.
  func change<Answer>(
    _ body: (Custom) throws -> Answer, announce: (_ answer: Answer, _ generation: Int) -> Void
  ) throws {
    lock.lock()
    defer { lock.unlock() }
    try checkOpen(.writing)
    let answer = Result { try body(custom) }
    // Also after a failure, because a part of the change may have been made.
    generation += 1
    announce(try answer.get(), generation)
  }

  var currentGeneration: Int {
    lock.withLock { generation }
  }

  /// The number that stands for a key which is no number, of a row that the store has returned.
  func key(forText text: String) -> Int64 {
    textKeys.withLock { keys in
      if let key = keys.numbers[text] { return key }
      let key = RowIdentity.firstText + Int64(keys.texts.count)
      keys.numbers[text] = key
      keys.texts.append(text)
      return key
    }
  }

  /// The number that stands for a key, if the store has returned its row.
  func knownKey(forText text: String) -> Int64? {
    textKeys.withLock { $0.numbers[text] }
  }

  func text(for key: Int64) -> String? {
    textKeys.withLock { keys in
      let place = key &- RowIdentity.firstText
      return place >= 0 && place < keys.texts.count ? keys.texts[Int(place)] : nil
    }
  }

  func notify(_ body: (Custom) -> Void) {
    lock.withLock { body(custom) }
  }
}
