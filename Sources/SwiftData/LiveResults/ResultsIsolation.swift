/// The isolation in which live results are updated.
enum ResultsIsolation: Sendable {
  /// A queue on which the context autosaves as well.
  case queue(AutosaveIsolation)
  case actor(WeakActor)

  /// An actor often retains its queries, so they must not retain it.
  struct WeakActor: @unchecked Sendable {
    fileprivate weak var actor: (any Actor)?
  }

  /// - Parameter actor: The isolation in which a query was made. It takes precedence over the thread on which the context
  ///   was made, but not over an executor of the context.
  init?(_ actor: (any Actor)?, _ graph: ObjectGraph) {
    let queue = graph.autosaveIsolation
    if let queue, case .executor = queue {
      self = .queue(queue)
    } else if let actor {
      self = actor === MainActor.shared ? .queue(.main) : .actor(WeakActor(actor: actor))
    } else if let queue {
      self = .queue(queue)
    } else {
      return nil
    }
  }

  /// Sends the queries of a context to their isolation.
  struct Reference: @unchecked Sendable {
    weak var queries: LiveQueries?
  }

  /// Runs `body` after all work that was enqueued in the isolation before.
  func atEndOfTurn(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.atEndOfTurn(body)
    case .actor(let reference):
      guard let actor = reference.actor else { return }
      Task { await Self.run(body, on: actor) }
    }
  }

  /// Runs `body` after some time.
  func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
    Task {
      try? await Task.sleep(for: duration)
      atEndOfTurn(body)
    }
  }

  private static func run(_ body: @Sendable () -> Void, on actor: isolated any Actor) {
    body()
  }
}
