extension ModelContext {
  /// Runs `block`, then saves, while no other context or process can save.
  ///
  /// What the block reads stays current until it is written, so that a value can be read, changed and saved without losing
  /// changes that others save in between:
  ///
  /// ```swift
  /// try context.transaction {
  ///   account.balance -= amount
  /// }
  /// ```
  ///
  /// Before the block runs, the context waits for exclusive write access to its SQLite stores, among all contexts,
  /// containers and processes. Then its models are refreshed with all changes that were saved meanwhile. A property with
  /// unsaved changes keeps its value. The unsaved changes from before the block are saved together with the block's.
  ///
  /// If `block` throws, nothing is saved, and its changes so far stay unsaved. The caller can then save them or roll them
  /// back. The same is true if the save fails. A context with autosave saves them too, like any other unsaved changes: roll
  /// them back before the end of the main queue's turn, that is before the caller awaits.
  ///
  /// A transaction inside the block, of the same context, is a part of the outer one, and does not save separately. A call
  /// of ``save()`` inside the block saves at once, as in Apple's framework, and an error that the block throws later does
  /// not undo it. The same is true of ``update(_:where:_:)``. The context then waits for the lock again, and its models are
  /// refreshed once more. If it does not get the lock in time, nothing more is saved in this transaction, which throws.
  ///
  /// The block must not wait for another context of the same stores to save. A save or a transaction of such a context
  /// throws ``SwiftDataError/modelValidationFailure`` inside the block, or ``SwiftDataError/storeFailure`` with the reason
  /// `busy` when the context is of another container. On another thread it waits, and throws `busy` after
  /// ``ModelConfiguration/StoreOptions/busyTimeout``. So do what takes long, or awaits something, before the transaction.
  ///
  /// While the block runs, other contexts cannot read a store in memory either. Read-only stores and custom stores have no
  /// lock: for them, only saves of contexts of the same container are merged. Apple's framework does not document any lock.
  ///
  /// - Parameter block: Runs on the calling thread before this method returns. It is not run if the lock is not acquired in
  ///   time, or if the models cannot be refreshed.
  /// - Throws: What `block` or ``save()`` throws; ``SwiftDataError/storeFailure`` with the reason `busy` when another context
  ///   or process does not let this one write within ``ModelConfiguration/StoreOptions/busyTimeout``.
  /// - Complexity: Besides the save, constant, when only contexts of the same container have saved since the last
  ///   transaction of this one. After a save by another container or process, and in the first transaction of a context,
  ///   the rows of all models that the context has in memory are read.
  public func transaction(block: () throws -> Void) throws {
    try graph.transaction(block)
  }
}
