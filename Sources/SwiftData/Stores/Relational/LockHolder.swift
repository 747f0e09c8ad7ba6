import Relational
import Synchronization

/// The context that holds the lock of a store, in a transaction that has not written yet.
///
/// `@unchecked Sendable` because only the thread that holds the lock accesses the other properties.
final class LockHolder: @unchecked Sendable {
  /// The thread that holds the lock; zero if none does.
  private let thread = Atomic<UInt>(0)
  private var graph: UnsafeRawPointer?
  private var held: (any Connection)?

  private var isMine: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  /// The connection that holds the lock, or can take it again; nil on a thread that is not inside `holding`.
  var connection: (any Connection)? { isMine ? held : nil }

  /// Runs `body` with a connection that holds the lock.
  ///
  /// - Parameter graph: Identifies the graph of the context.
  func holding<Result>(
    _ connection: any Connection, for graph: UnsafeRawPointer, _ body: () throws -> Result
  ) rethrows -> Result {
    // A transaction without the lock, as during the notifications of a nested save, can nest one of another context.
    let outer = (thread: thread.load(ordering: .relaxed), graph: self.graph, held: held)
    held = connection
    self.graph = graph
    thread.store(CurrentThread.number, ordering: .relaxed)
    defer {
      held = outer.held
      self.graph = outer.graph
      thread.store(outer.thread, ordering: .relaxed)
    }
    return try body()
  }

  /// - Parameter graph: Identifies the graph that is about to write; nil for another part of the library.
  /// - Throws: A `SwiftDataError` if the thread holds the lock for another graph: that graph would not know of the write,
  ///   and its transaction would end.
  func check(_ graph: UnsafeRawPointer?) throws {
    guard isMine, self.graph != graph, held?.holdsLock == true else { return }
    throw SwiftDataError.modelValidationFailure.with(
      message: "A context saved inside a transaction of another context, which has exclusive access to the store.",
      hint: "Make the changes with the context of the transaction, or save them before it or after it.")
  }
}
