#if DEBUG
  import Foundation
  import Synchronization

  /// Who uses a graph at the moment, to find out when two threads do: that is a race, which ends in wrong values or a
  /// crash somewhere else. Builds for release do not ask.
  final class Occupancy: Sendable {
    /// The thread that is inside; zero when none is.
    private let thread = Atomic<UInt>(0)
    /// How many of its calls are under way. Only it touches the count.
    private let depth = Atomic<Int>(0)

    func enter() {
      let current = Self.currentThread
      if thread.load(ordering: .relaxed) != current {
        let (isFree, other) = thread.compareExchange(expected: 0, desired: current, ordering: .acquiring)
        if !isFree {
          fatalError(
            """
            A ModelContext or its models were used by two threads at a time (\(other) and \(current)). A context and its \
            models belong to one isolation, the main actor's or a ModelActor's: hand persistentModelIDs to others.
            """)
        }
      }
      depth.wrappingAdd(1, ordering: .relaxed)
    }

    func leave() {
      if depth.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { thread.store(0, ordering: .releasing) }
    }

    private static var currentThread: UInt {
      #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
      #else
        pthread_self()
      #endif
    }
  }
#endif

extension PersistentModel {
  /// Runs `body`, which changes the model, as `ObjectGraph.alone` does.
  @inline(__always)
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if DEBUG
      if let graph = _$withState({ $0.graph }) { return try graph.alone(body) }
    #endif
    return try body()
  }
}

extension ObjectGraph {
  /// Runs `body`, and then tells observers what it changed. In builds for debugging it stops the program when another
  /// thread is inside as well.
  @inline(__always)
  func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if DEBUG
      occupancy.enter()
    #endif
    notices.hold()
    defer {
      #if DEBUG
        occupancy.leave()
      #endif
      releaseNotices()
    }
    return try body()
  }
}
