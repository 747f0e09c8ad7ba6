import Foundation
import Support

import struct Synchronization.Atomic

/// Which thread is using a graph, or is *inside*: that of the isolation which the graph belongs to, in one call after
/// the other, and now and then another thread that has let go of one of the graph's models or of its context.
///
/// An object may be released on any thread, so what a model leaves in its graph has to be cleared away on whichever
/// thread releases the last reference. When nobody is inside, that thread clears it away at once, and whoever comes
/// meanwhile waits. When somebody is inside, the thread leaves the work to them. It does not wait, because those inside
/// may be waiting for it.
///
/// The values in a model are not guarded: reading them would take several times as long. The isolation has to see to it
/// that no two threads use the models of a context at a time. Builds for debugging find out when it does not, and stop
/// the program; others stop nobody.
struct ExclusiveAccess: ~Copyable {
  /// The thread inside; zero when none is. One more while it clears away.
  private let holder = Atomic<UInt>(0)
  /// How many of its calls are under way. Only it touches the count, so that no operation on it has to be indivisible.
  private let depth = Atomic<Int>(0)
  /// The thread that was inside last, apart from threads that only cleared something away.
  private let user = Atomic<UInt>(0)
  private let deferredReleases = Mutex<[DeferredRelease]>([])
  private let hasDeferredReleases = Atomic<Bool>(false)

  /// What somebody has left to those inside.
  ///
  /// `@unchecked Sendable` because it goes from the one who has let go to the one who clears away.
  struct DeferredRelease: @unchecked Sendable {
    /// What a model leaves; nil when it was the context that went away.
    let released: ReleasedModel?
    /// Held, because nobody else may hold it when all of its models are among the remains.
    let graph: ObjectGraph
  }

  /// Whether the current thread is inside.
  var isMine: Bool {
    holder.load(ordering: .relaxed) & ~1 == CurrentThread.number
  }

  /// Whether the isolation used the current thread last.
  var wasMine: Bool {
    user.load(ordering: .relaxed) == CurrentThread.number
  }

  /// Whether a call is under way. That another thread clears something away is none, as it does not last.
  var isInCall: Bool {
    let holder = holder.load(ordering: .relaxed)
    return holder & 1 == 0 ? holder != 0 : holder & ~1 == CurrentThread.number
  }

  // MARK: The isolation

  /// - Returns: Whether the current thread is inside now, and has to leave. Another is otherwise, against the rules.
  func enter() -> Bool {
    let current = CurrentThread.number
    if holder.load(ordering: .relaxed) & ~1 == current {
      depth.store(depth.load(ordering: .relaxed) + 1, ordering: .relaxed)
      return true
    }
    let other = take(for: current, as: current)
    if other == 0 {
      depth.store(1, ordering: .relaxed)
      user.store(current, ordering: .relaxed)
      return true
    }
    #if DEBUG
      fatalError(
        """
        A ModelContext or its models were used by two threads at a time (\(other) and \(current)). A context and its \
        models belong to one isolation, the main actor's or a ModelActor's: hand persistentModelIDs to others.
        """)
    #else
      return false
    #endif
  }

  /// Whether `leave` ends the isolation's outermost call.
  var isOutermost: Bool {
    depth.load(ordering: .relaxed) == 1 && !isClearing
  }

  /// Whether no more than one call is under way.
  var isShallow: Bool {
    depth.load(ordering: .relaxed) <= 1
  }

  /// - Returns: Whether somebody has left something that the current thread has to clear away.
  func leave() -> Bool {
    let rest = depth.load(ordering: .relaxed) - 1
    depth.store(rest, ordering: .relaxed)
    guard rest == 0, !isClearing else { return false }
    // Whoever leaves something asks afterwards whether somebody is inside still; hence the order of these two.
    _ = holder.exchange(0, ordering: .sequentiallyConsistent)
    return hasDeferredReleases.load(ordering: .sequentiallyConsistent)
  }

  private var isClearing: Bool {
    holder.load(ordering: .relaxed) & 1 == 1
  }

  /// Waits while somebody clears away, which does not last.
  ///
  /// - Returns: The thread that is inside; zero when the holder is `new` now.
  private func take(for current: UInt, as new: UInt) -> UInt {
    var attempts = 0
    while true {
      let (isTaken, other) = holder.compareExchange(expected: 0, desired: new, ordering: .sequentiallyConsistent)
      if isTaken { return 0 }
      if other & 1 == 0 { return other }
      attempts += 1
      if attempts > 100 { usleep(attempts > 1000 ? 100 : 0) }
    }
  }

  // MARK: Clearing away

  /// Enters for what a model or the context leaves, unless the isolation is inside. Those who come meanwhile wait.
  @inline(__always)
  func enterToClear() -> Bool {
    let current = CurrentThread.number
    return take(for: current, as: current | 1) == 0
  }

  func leaveCleared() {
    holder.store(0, ordering: .releasing)
  }

  /// Leaves what the current thread cannot clear away to those inside.
  func deferRelease(_ deferred: DeferredRelease) {
    deferredReleases.withLock { $0.append(deferred) }
    hasDeferredReleases.store(true, ordering: .sequentiallyConsistent)
  }

  var isCleared: Bool {
    !hasDeferredReleases.load(ordering: .sequentiallyConsistent)
  }

  /// What others have left.
  func takeDeferredReleases() -> [DeferredRelease] {
    deferredReleases.withLock { deferredReleases in
      hasDeferredReleases.store(false, ordering: .sequentiallyConsistent)
      defer { deferredReleases = [] }
      return deferredReleases
    }
  }
}
