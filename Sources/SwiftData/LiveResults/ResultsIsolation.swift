/// Where live results are brought up to date.
enum ResultsIsolation: Sendable {
  /// A queue on which the context saves by itself as well.
  case queue(AutosaveIsolation)
  case actor(any Actor)

  /// - Parameter actor: The isolation in which a query was made.
  init?(_ actor: (any Actor)?, _ graph: ObjectGraph) {
    if let queue = graph.autosaveIsolation {
      self = .queue(queue)
    } else if actor === MainActor.shared {
      self = .queue(.main)
    } else if let actor {
      self = .actor(actor)
    } else {
      return nil
    }
  }

  /// Carries the queries of a context to their isolation.
  struct Reference: @unchecked Sendable {
    weak var queries: LiveQueries?
  }

  /// Runs `body` when the isolation has done what it had to do before.
  func atEndOfTurn(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue): queue.atEndOfTurn(body)
    case .actor(let actor): Task { await Self.run(body, on: actor) }
    }
  }

  private static func run(_ body: @Sendable () -> Void, on actor: isolated any Actor) {
    body()
  }
}
