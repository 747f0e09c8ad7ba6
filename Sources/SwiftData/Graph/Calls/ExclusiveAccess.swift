import Foundation
import Support

import struct Synchronization.Atomic

/// The thread that uses a graph: the *inside* thread. Usually it is the thread of the isolation that owns the graph; at
/// times it is another thread that has released one of the graph's models or its context.
///
/// An object may be released on any thread, and the released model has to be removed from its graph. If no thread is
/// inside, the releasing thread removes it at once, and threads that enter meanwhile wait. If a thread is inside, the
/// releasing thread defers the removal to that thread. It does not wait, because the thread inside may be waiting for it.
///
/// The values in a model are not protected: a check would make reads several times slower. The isolation has to ensure that
/// only one thread uses the models of a context at a time. Debug builds detect violations and stop the program; release
/// builds do not.
struct ExclusiveAccess: ~Copyable {
  /// The thread inside; zero when there is none. The lowest bit is set while it only removes released models.
  private let holder = Atomic<UInt>(0)
  /// The number of nested calls. Only the thread inside uses it, so its updates need not be atomic read-modify-write
  /// operations.
  private let depth = Atomic<Int>(0)
  /// The thread that was inside last, ignoring threads that only removed released models.
  private let user = Atomic<UInt>(0)
  private let deferredReleases = Mutex<[DeferredRelease]>([])
  private let deferralFlag = Atomic<Bool>(false)

  /// A release that another thread deferred to the thread inside.
  ///
  /// `@unchecked Sendable` because it is passed from the releasing thread to the thread inside.
  struct DeferredRelease: @unchecked Sendable {
    /// The released model; nil when the context was released.
    let released: ReleasedModel?
    /// Retained, because all other references may be gone when the last models are released.
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

  /// Whether a call is in progress, on any thread. The removal of released models by another thread does not count, as it
  /// is short.
  var isInCall: Bool {
    let holder = holder.load(ordering: .relaxed)
    return holder & 1 == 0 ? holder != 0 : holder & ~1 == CurrentThread.number
  }

  // MARK: The isolation

  /// - Returns: Whether the current thread is inside now, and has to leave. False when another thread is inside, which is a
  ///   usage error.
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
    depth.load(ordering: .relaxed) == 1 && !isHeldForRelease
  }

  /// Whether at most one call is in progress.
  var isShallow: Bool {
    depth.load(ordering: .relaxed) <= 1
  }

  /// - Returns: Whether there are deferred releases that the current thread has to perform.
  func leave() -> Bool {
    let rest = depth.load(ordering: .relaxed) - 1
    depth.store(rest, ordering: .relaxed)
    guard rest == 0, !isHeldForRelease else { return false }
    // A thread that defers a release checks afterwards whether a thread is inside; hence the order of these two.
    _ = holder.exchange(0, ordering: .sequentiallyConsistent)
    return deferralFlag.load(ordering: .sequentiallyConsistent)
  }

  private var isHeldForRelease: Bool {
    holder.load(ordering: .relaxed) & 1 == 1
  }

  /// Takes the access, waiting while another thread removes released models, which is short.
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

  // MARK: Deferred releases

  /// Enters for a released model or context, unless the isolation is inside. Other threads that enter meanwhile wait.
  @inline(__always)
  func enterForRelease() -> Bool {
    let current = CurrentThread.number
    return take(for: current, as: current | 1) == 0
  }

  func leaveAfterRelease() {
    holder.store(0, ordering: .releasing)
  }

  /// Defers a release to the thread inside.
  func deferRelease(_ deferred: DeferredRelease) {
    deferredReleases.withLock { $0.append(deferred) }
    deferralFlag.store(true, ordering: .sequentiallyConsistent)
  }

  var hasDeferredReleases: Bool {
    deferralFlag.load(ordering: .sequentiallyConsistent)
  }

  /// Removes and returns the deferred releases.
  func takeDeferredReleases() -> [DeferredRelease] {
    deferredReleases.withLock { deferredReleases in
      deferralFlag.store(false, ordering: .sequentiallyConsistent)
      defer { deferredReleases = [] }
      return deferredReleases
    }
  }
}
