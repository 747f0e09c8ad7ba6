import Foundation
import Support

/// A custom store of a container.
///
/// `@unchecked Sendable` because `lock` guards the custom store, which need not be thread-safe, and `generation` and
/// `isClosed`.
final class SnapshotStore<Custom: DataStore>: Store, @unchecked Sendable {
  let name: String
  let identifier: InternedString
  let schema: Schema
  private let custom: Custom
  private let lock = NSRecursiveLock()
  /// Incremented with every change, to invalidate the caches of sessions.
  private var generation = 0
  private var isClosed = false
  /// The numbers of textual keys, which are assigned as long as the store is open.
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

  /// Does nothing: the library cannot follow changes of a custom store by others.
  func follow(
    _ post: @escaping @Sendable (ChangeNotice) -> Void, finish: @escaping @Sendable (any HistoryToken) -> Void
  ) {}
  func stopFollowing() {}

  var canBackUp: Bool { false }

  func backUp(to url: URL) throws {
    throw DataStoreError.unsupportedFeature
  }

  /// Refuses later requests. A custom store itself cannot be closed.
  func close() {
    lock.withLock { isClosed = true }
  }

  private func checkOpen(_ operation: SwiftDataError.StoreOperation) throws {
    guard isClosed else { return }
    throw SwiftDataError.storeFailure(operation, store: name, reason: .closed, message: "the container is closed")
  }

  /// Sends a request to the store. Two answers with the same generation are from the same state of the store.
  func read<Answer>(_ body: (Custom) throws -> Answer) throws -> (answer: Answer, generation: Int) {
    lock.lock()
    defer { lock.unlock() }
    try checkOpen(.reading)
    return (try body(custom), generation)
  }

  /// Sends a request to change the store.
  ///
  /// - Parameter announce: Called with the answer and the new generation before the next request, so that contexts are
  ///   notified of changes in their order.
  func change<Answer>(
    _ body: (Custom) throws -> Answer, announce: (_ answer: Answer, _ generation: Int) -> Void
  ) throws {
    lock.lock()
    defer { lock.unlock() }
    try checkOpen(.writing)
    let answer = Result { try body(custom) }
    // Also after a failure, because the store may have made a part of the change.
    generation += 1
    announce(try answer.get(), generation)
  }

  var currentGeneration: Int {
    lock.withLock { generation }
  }

  /// The number of a textual key, of a row that the store has returned.
  func key(forText text: String) -> Int64 {
    textKeys.withLock { keys in
      if let key = keys.numbers[text] { return key }
      let key = RowIdentity.firstText + Int64(keys.texts.count)
      keys.numbers[text] = key
      keys.texts.append(text)
      return key
    }
  }

  /// The number of a textual key, if the store has returned its row.
  func knownKey(forText text: String) -> Int64? {
    textKeys.withLock { $0.numbers[text] }
  }

  func text(for key: Int64) -> String? {
    textKeys.withLock { keys in
      let index = key &- RowIdentity.firstText
      return index >= 0 && index < keys.texts.count ? keys.texts[Int(index)] : nil
    }
  }

  func notify(_ body: (Custom) -> Void) {
    lock.withLock { body(custom) }
  }
}
