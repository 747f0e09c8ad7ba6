/// Values that are computed from the stores of a container, now and after each commit that concerns them.
///
/// ``ModelContainer/values(of:following:coalescing:_:)`` and ``ModelContainer/values(following:coalescing:_:)`` make it.
/// The first value comes at once. Each further one comes after a commit that may change it, by a context of the container,
/// another container or another process. While the loop processes a value, commits are collected: the next value is the
/// latest, and none is computed in between. The sequence ends when the task of the loop is cancelled, and throws the errors
/// of computing a value.
///
/// Each iteration computes its own values. A commit that concerns no value costs an iteration some microseconds, and no
/// query.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  /// Computes the next value; nil if it would equal the previous one.
  typealias Next = @Sendable (ModelContext) throws -> Value?

  private let container: ModelContainer
  private let concern: ResultsConcern
  private let coalescing: Duration
  private let makeNext: @Sendable () -> Next

  /// - Parameter makeNext: Called once for each iterator.
  init(
    _ container: ModelContainer, _ concern: ResultsConcern, _ coalescing: Duration,
    _ makeNext: @escaping @Sendable () -> Next
  ) {
    self.container = container
    self.concern = concern
    self.coalescing = coalescing
    self.makeNext = makeNext
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      container: container, signal: CommitSignal(container.core, concern), coalescing: coalescing, next: makeNext())
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let container: ModelContainer
    private let signal: CommitSignal
    private let coalescing: Duration
    private let next: Next
    private var commits: AsyncStream<Void>.Iterator
    private var isFirst = true

    fileprivate init(
      container: ModelContainer, signal: CommitSignal, coalescing: Duration, next: @escaping Next
    ) {
      self.container = container
      self.signal = signal
      self.coalescing = coalescing
      self.next = next
      commits = signal.commits.makeAsyncIterator()
    }

    public mutating func next() async throws -> Value? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      do {
        while true {
          if isFirst {
            isFirst = false
          } else if await commits.next(isolation: actor) == nil {
            return nil
          } else if coalescing > .zero {
            try await Task.sleep(for: coalescing)
          }
          if let value = try await container.perform(next) { return value }
        }
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
    }
  }
}

/// Signals the commits that concern a value.
final class CommitSignal: Sendable {
  let commits: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let inbox = ChangeInbox()
  private let concern: ResultsConcern
  private let entityCount: Int

  init(_ core: ContainerCore, _ concern: ResultsConcern) {
    self.concern = concern
    entityCount = core.schema.entities.count
    (commits, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    inbox.onPost { [weak self] in self?.match() }
    core.attach(inbox)
  }

  private func match() {
    var changes = LiveChanges(entityCount: entityCount)
    for (ordinal, entity) in inbox.take().entities { changes.add(entity, of: ordinal) }
    if concern.includes(changes) != .no { continuation.yield() }
  }
}
