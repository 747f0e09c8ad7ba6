import SystemSQLite

/// Tells SQLite, which asks now and then while it runs a statement, whether the task that waits for it was cancelled.
///
/// `@unchecked Sendable` because it is used where its connection is, by one thread at a time.
final class CancellationCheck: @unchecked Sendable {
  /// Whether a statement may be interrupted: one that reads, and whose caller can do without the rest.
  var isOn = false

  /// How many steps of its machine SQLite makes between two questions, some tenths of a millisecond.
  private static let stepCount: Int32 = 10_000

  /// Has SQLite ask. It goes on until the connection is closed, which must be before this object goes.
  func install(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.stepCount,
      { context in
        guard let context else { return 0 }
        let check = Unmanaged<CancellationCheck>.fromOpaque(context).takeUnretainedValue()
        return check.isOn && Task.isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
