import Foundation
import Relational
import Support

import struct Synchronization.Atomic

/// The files whose write lock is held between a read and a write, and the threads that hold them. A thread that asks for the
/// same lock on another connection would deadlock.
enum LockedFiles {
  private struct Holder {
    let file: FileIdentity
    let thread: pthread_t
  }

  private static let holders = Mutex<[Holder]>([])
  /// The number of holders, read at each write.
  private static let count = Atomic<Int>(0)

  static func add(_ location: FileLocation?) {
    guard let location else { return }
    let thread = pthread_self()
    holders.withLock { $0.append(Holder(file: location.identity, thread: thread)) }
    count.wrappingAdd(1, ordering: .relaxed)
  }

  static func remove(_ location: FileLocation?) {
    guard let location else { return }
    let thread = pthread_self()
    let isFound = holders.withLock { holders in
      let index = holders.firstIndex { $0.file == location.identity && pthread_equal($0.thread, thread) != 0 }
      if let index { holders.remove(at: index) }
      return index != nil
    }
    if isFound { count.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// - Throws: `DatabaseError` when the current thread holds the lock of the file on another connection.
  static func check(_ location: FileLocation?) throws {
    // A thread sees its own additions, whatever the memory order.
    guard count.load(ordering: .relaxed) > 0, let location else { return }
    let thread = pthread_self()
    let isMine = holders.withLock { holders in
      holders.contains { $0.file == location.identity && pthread_equal($0.thread, thread) != 0 }
    }
    if isMine { throw refusal }
  }

  static var refusal: DatabaseError {
    DatabaseError(
      reason: .busy,
      message: "this thread holds its write lock in a transaction of another context; save after it has ended")
  }
}
