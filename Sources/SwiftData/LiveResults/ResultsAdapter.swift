/// A list of a user interface, or of anything else, that shows the results of an observer.
///
/// An adapter to a toolkit implements the two functions, and is connected by ``ResultsObserver/connect(_:coalescing:)``. It
/// knows the rows of its list by their models: the same model is the same object for as long as it is among the results, also
/// when it is saved and its identifier changes. An addition of OpenSwiftData.
public protocol ResultsAdapter<Element>: AnyObject {
  associatedtype Element: PersistentModel

  /// Shows results that have nothing to do with those before: the first ones, and those of a new condition or order.
  func show(_ results: FetchResultsCollection<Element>)

  /// Shows results that came from those before.
  ///
  /// - Parameter difference: What turns the list as it is into the results. It is not empty.
  func show(_ results: FetchResultsCollection<Element>, changedBy difference: ResultsDifference)
}

/// Keeps an adapter up to date with an observer, which it retains, until it is released.
///
/// It belongs to the isolation of the observer.
public class ResultsConnection {
  fileprivate init() {}

  /// Shows what has changed at once, and not when it is due.
  public func update() {}

  /// Ends the connection. The adapter is not called any more.
  public func cancel() {}

  fileprivate func endWait() {}

  /// Carries a connection to its isolation.
  fileprivate struct Reference: @unchecked Sendable {
    weak var connection: ResultsConnection?
  }
}

extension ResultsObserver {
  /// Has an adapter show the results: the present ones before this function returns, and then each change of them, in the
  /// isolation of the observer and at most once a turn of that.
  ///
  /// A change of any attribute of a model among the results counts, and is an update of the adapter's row.
  ///
  /// - Parameters:
  ///   - adapter: It is not retained.
  ///   - coalescing: How long changes are gathered after the first one before the adapter is called. An observer without an
  ///     isolation does not wait.
  /// - Returns: What keeps the connection, for as long as it is retained.
  public func connect(_ adapter: some ResultsAdapter<Element>, coalescing: Duration = .zero) -> ResultsConnection {
    followAllProperties()
    let connection = AdapterConnection(self, adapter, coalescing)
    add(connection)
    connection.restart()
    return connection
  }
}

/// What an observer notifies of the changes of its query.
protocol ResultsFollower: AnyObject {
  func resultsHaveChanged(_ change: LiveQueryChange)
  /// The query is another one.
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
