/// A list, in a user interface or elsewhere, that shows the results of an observer.
///
/// An adapter to a toolkit implements the two functions, and is connected with ``ResultsObserver/connect(_:coalescing:)``.
/// It identifies the rows of its list by their models: a model is the same object as long as it is among the results, also
/// when it is saved and its identifier changes. An addition of OpenSwiftData.
public protocol ResultsAdapter<Element>: AnyObject {
  /// The class of the models.
  associatedtype Element: PersistentModel

  /// Shows results that replace the previous ones: the first results, and those of a new predicate or order.
  func show(_ results: FetchResultsCollection<Element>)

  /// Shows changed results.
  ///
  /// - Parameters:
  ///   - results: The results that the list shows afterwards.
  ///   - difference: The changes from the shown results to `results`. It is not empty.
  func show(_ results: FetchResultsCollection<Element>, changedBy difference: ResultsDifference)
}

/// Keeps an adapter up to date with an observer, which it retains, until it is released.
///
/// It belongs to the isolation of the observer.
public class ResultsConnection {
  fileprivate init() {}

  /// Shows pending changes now.
  public func update() {}

  /// Ends the connection. The adapter is not called any more.
  public func cancel() {}

  fileprivate func endWait() {}

  /// Sends a connection to its isolation.
  fileprivate struct Reference: @unchecked Sendable {
    weak var connection: ResultsConnection?
  }
}

extension ResultsObserver {
  /// Shows the results in an adapter: the current ones before this function returns, and then each change of them, in the
  /// isolation of the observer and at most once per turn.
  ///
  /// A change of any attribute of a model among the results is an update of the adapter's row.
  ///
  /// - Parameters:
  ///   - adapter: It is not retained.
  ///   - coalescing: The time to collect changes, after the first one, before the adapter is called. An observer without an
  ///     isolation does not wait.
  /// - Returns: The connection, which lasts as long as it is retained.
  public func connect(_ adapter: some ResultsAdapter<Element>, coalescing: Duration = .zero) -> ResultsConnection {
    followAllProperties()
    let connection = AdapterConnection(self, adapter, coalescing)
    add(connection)
    connection.restart()
    return connection
  }
}

/// A client of an observer, which is notified of changes of its query.
protocol ResultsFollower: AnyObject {
  func resultsHaveChanged(_ change: LiveQueryChange)
  /// The query was replaced.
  func restart()
}

private final class AdapterConnection<Adapter: ResultsAdapter, Title: Hashable>: ResultsConnection, ResultsFollower {
  private var observer: ResultsObserver<Adapter.Element, Title>?
  private weak var adapter: Adapter?
  private let coalescing: Duration
  private var history = ResultsHistory()
  private var isWaiting = false

  init(_ observer: ResultsObserver<Adapter.Element, Title>, _ adapter: Adapter, _ coalescing: Duration) {
    self.observer = observer
    self.adapter = adapter
    self.coalescing = coalescing
  }

  func restart() {
    guard let observer else { return }
    history = ResultsHistory(observer.rows)
    adapter?.show(observer.currentResults)
  }

  func resultsHaveChanged(_ change: LiveQueryChange) {
    history.record(change)
    if isWaiting { return }
    guard coalescing > .zero, let isolation = observer?.isolationOfUpdates else { return showChanges() }
    isWaiting = true
    let reference = Reference(connection: self)
    isolation.after(coalescing) { reference.connection?.endWait() }
  }

  override func endWait() {
    isWaiting = false
    update()
  }

  private func showChanges() {
    guard let observer, let difference = history.difference(to: observer.rows) else { return }
    adapter?.show(observer.currentResults, changedBy: difference)
  }

  override func update() {
    observer?.update()
    showChanges()
  }

  override func cancel() {
    observer = nil
    adapter = nil
  }
}
