import Relational
import Synchronization

/// Which context keeps others from writing to a store, in a transaction that has not written yet.
///
/// `@unchecked Sendable` because only the thread that holds the lock touches what it has.
final class LockHolder: @unchecked Sendable {
  /// The thread that holds the lock; zero when none does.
  private let thread = Atomic<UInt>(0)
  private var graph: UnsafeRawPointer?
  private var held: (any Connection)?

  private var isMine: Bool { thread.load(ordering: .relaxed) == CurrentThread.number }

  /// The connection that has the lock, or can take it again; nil on a thread that is not inside `holding`.
  var connection: (any Connection)? { isMine ? held : nil }

  /// Runs `body`, which has a connection with the lock.
  ///
  /// - Parameter graph: Tells the graph of the context.
  func holding<Result>(
    _ connection: any Connection, for graph: UnsafeRawPointer, _ body: () throws -> Result
  ) rethrows -> Result {
    // While a transaction has no lock, as when others are told of a save inside, one of another context can come between.
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

  /// - Parameter graph: Tells the graph that is about to write; nil for another part of the library.
  /// - Throws: A `SwiftDataError` where the thread holds the lock for another graph: what is written now would be
  ///   unknown to that one, and its transaction would have ended with it.
  func check(_ graph: UnsafeRawPointer?) throws {
    guard isMine, self.graph != graph, held?.holdsLock == true else { return }
    throw SwiftDataError.modelValidationFailure.with(
      message: "A store was written to inside a transaction of another context that keeps others from it.",
      hint: "Make the changes with the context of the transaction, or save them before it or after it.")
  }
}
