import Dispatch
import Foundation
public import Observation
import Support

/// Reports when a context, container or process commits transactions that change certain models.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Order.self], authors: ["app"], modelContainer: container)
/// withObservationTracking { _ = observer.eventCounter } onChange: { … }
/// ```
///
/// It observes the SQLite stores of the container that keep a history. Retain the observer for as long as it is to count.
public final class HistoryObserver: @unchecked Sendable, Observable, CommitObserver {
  // Unchecked, because the class is `Observable`; its mutable state is behind a lock.

  /// The container whose SQLite stores are observed.
  public let modelContainer: ModelContainer
  /// The models whose changes count, with their subclasses; all models if empty.
  public let observedModels: [any PersistentModel.Type]
  /// The authors whose transactions count; all transactions if empty.
  public let authors: Set<String>

  private struct State {
    var eventCounter = 0
    /// The number of the last transaction of each store that was read.
    var numbers: [String: Int64]
    var isAwaitingMatch = false
    var isAwaitingRetry = false
  }

  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()
  /// Not retained, because an actor often retains its observers.
  private weak var actor: (any Actor)?
  private let isOnActor: Bool
  private let queue = DispatchQueue(label: "HistoryObserver")

  /// Increases each time when the observer finds new transactions that count, at the latest some milliseconds after the
  /// commit. Several transactions in quick succession may count as one.
  ///
  /// It changes on the actor on which the observer was made; without one, on a queue of the observer. It can be read in any
  /// isolation.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    return state.withLock { $0.eventCounter }
  }

  /// Begins to observe.
  ///
  /// - Parameters:
  ///   - historyTokens: The tokens after which transactions count, by the identifiers of the stores; existing later
  ///     transactions count at once. The last transaction if nil, and for stores without a token.
  ///   - observedModels: The models whose changes count, with their subclasses; all models if empty.
  ///   - authors: The ``ModelContext/author``s whose transactions count; all transactions if empty.
  ///   - modelContainer: The container whose SQLite stores are observed.
  ///   - isolation: The isolation in which ``eventCounter`` changes.
  /// - Throws: ``SwiftDataError/historyTokenExpired`` for a token after which transactions were deleted,
  ///   ``DataStoreError/unsupportedFeature`` if no store of the container keeps a history, or an error of the store.
  public convenience init(
    historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
    authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(historyTokens, observedModels, authors, modelContainer, on: isolation)
  }

  private init(
    _ tokens: [String: any HistoryToken]?, _ models: [any PersistentModel.Type], _ authors: Set<String>,
    _ container: ModelContainer, on actor: (any Actor)?
  ) throws {
    let stores = container.stores.compactMap { $0 as? RelationalStore }.filter(\.keepsHistory)
    if stores.isEmpty { throw DataStoreError.unsupportedFeature }
    var numbers: [String: Int64] = [:]
    for store in stores {
      let identifier = store.identifier.string
      let token = tokens?[identifier] as? DefaultHistoryToken
      numbers[identifier] = try token.map { $0.number(of: identifier) } ?? store.lastTransaction()
    }
    modelContainer = container
    observedModels = models
    self.authors = authors
    self.actor = actor
    isOnActor = actor != nil
    state = Mutex(State(numbers: numbers))
    container.core.attach(self)
    // Transactions that were committed before `attach` were not notified.
    try queue.sync {
      var isEvent = false
      for store in stores { isEvent = try matchTransactions(of: store) || isEvent }
      if isEvent { state.withLock { $0.eventCounter += 1 } }
    }
  }

  /// Reads the new transactions soon, on the observer's queue.
  func recordCommit() {
    let isFirst = state.withLock { state in
      defer { state.isAwaitingMatch = true }
      return !state.isAwaitingMatch
    }
    guard isFirst else { return }
    queue.async { [weak self] in self?.matchAndCount(attempt: 0) }
  }

  /// - Parameter attempt: The number of failed attempts before.
  private func matchAndCount(attempt: Int) {
    state.withLock { $0.isAwaitingMatch = false }
    var isEvent = false
    var hasFailed = false
    for store in modelContainer.stores.compactMap({ $0 as? RelationalStore }) where store.keepsHistory {
      do {
        isEvent = try matchTransactions(of: store) || isEvent
      } catch {
        // If transactions are deleted or cannot be read, any change may have happened.
        let isUnreported =
          error as? SwiftDataError == .historyTokenExpired
          || (error as? SwiftDataError)?.details?.storeFailureReason == .corrupt
        if isUnreported, let last = try? store.lastTransaction() {
          record(last, of: store)
          isEvent = true
        } else {
          if attempt == 0 { Log.store.error("An observer of the history cannot read it: \(error)") }
          hasFailed = true
        }
      }
    }
    if hasFailed { retry(afterAttempt: attempt) }
    guard isEvent else { return }
    if !isOnActor { return count() }
    guard let actor else { return }
    // A task that first has to switch to the main actor would start Dispatch threads, which wake each second.
    if actor === MainActor.shared {
      Task { @MainActor in count() }
    } else {
      Task { await count(on: actor) }
    }
  }

  private func retry(afterAttempt attempt: Int) {
    let isFirst = state.withLock { state in
      defer { state.isAwaitingRetry = true }
      return !state.isAwaitingRetry
    }
    guard isFirst else { return }
    guard let delay = RetryDelay.seconds(afterAttempt: attempt) else {
      return state.withLock { $0.isAwaitingRetry = false }
    }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.state.withLock { $0.isAwaitingRetry = false }
      self?.matchAndCount(attempt: attempt + 1)
    }
  }

  private func count(on actor: isolated any Actor) {
    count()
  }

  private func count() {
    registrar.withMutation(of: self, keyPath: \.eventCounter) {
      state.withLock { $0.eventCounter += 1 }
    }
  }

  private func record(_ number: Int64, of store: RelationalStore) {
    let identifier = store.identifier.string
    state.withLock { $0.numbers[identifier] = max($0.numbers[identifier] ?? 0, number) }
  }

  /// The number of transactions that are read at once.
  private static let pageSize: UInt64 = 64

  /// Reads the new transactions of a store, until one counts. Called only on the queue, so that nothing is read twice.
  ///
  /// - Returns: Whether a new transaction counts.
  private func matchTransactions(of store: RelationalStore) throws -> Bool {
    let identifier = store.identifier.string
    let last = try store.lastTransaction()
    while true {
      let token = DefaultHistoryToken(store: identifier, number: state.withLock { $0.numbers[identifier] ?? 0 })
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
      descriptor.fetchLimit = Self.pageSize
      guard let page = try store.fetchHistory(descriptor), let lastOfPage = page.last else { return false }
      if page.contains(where: counts) {
        record(max(last, lastOfPage.transactionIdentifier), of: store)
        return true
      }
      record(lastOfPage.transactionIdentifier, of: store)
    }
  }

  private func counts(_ transaction: DefaultHistoryTransaction) -> Bool {
    if !authors.isEmpty, transaction.author.map(authors.contains) != true { return false }
    if observedModels.isEmpty { return true }
    let entities = modelContainer.schema.entitiesByName
    let observed = observedModels.map { ModelRuntime.of($0).entityName.string }
    return transaction.changes.contains { change in
      guard let entity = entities[change.changedPersistentIdentifier.entityName] else { return false }
      return observed.contains { name in entities[name].map(entity.isKind(of:)) ?? false }
    }
  }
}
