import Foundation
import Relational
import Support

import struct Synchronization.Atomic

/// The files whose locks are held between reading and writing, and by which threads: a thread that asks for such a lock
/// by another connection would wait for itself.
enum LockedFiles {
  private struct Holder {
    let file: FileIdentity
    let thread: pthread_t
  }

  private static let holders = Mutex<[Holder]>([])
  /// How many there are, for those who ask at each write.
  private static let count = Atomic<Int>(0)

  static func add(_ place: FileLocation?) {
    guard let place else { return }
    let thread = pthread_self()
    holders.withLock { $0.append(Holder(file: place.identity, thread: thread)) }
    count.wrappingAdd(1, ordering: .relaxed)
  }

  static func remove(_ place: FileLocation?) {
    guard let place else { return }
    let thread = pthread_self()
    let isFound = holders.withLock { holders in
      let index = holders.firstIndex { $0.file == place.identity && pthread_equal($0.thread, thread) != 0 }
      if let index { holders.remove(at: index) }
      return index != nil
    }
    if isFound { count.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// - Throws: `DatabaseError` when the current thread holds the lock of the file by another connection.
  static func check(_ place: FileLocation?) throws {
    // What this thread itself has added it sees, in whatever order others do.
    guard count.load(ordering: .relaxed) > 0, let place else { return }
    let thread = pthread_self()
    let isMine = holders.withLock { holders in
      holders.contains { $0.file == place.identity && pthread_equal($0.thread, thread) != 0 }
    }
    if isMine { throw refusal }
  }

  static var refusal: DatabaseError {
    DatabaseError(
      reason: .busy,
      message: "the thread itself keeps others from writing, in a transaction of another context or container")
  }
}
