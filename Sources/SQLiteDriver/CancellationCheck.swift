import SystemSQLite

/// Interrupts a statement whose task was cancelled, from SQLite's progress handler.
///
/// `@unchecked Sendable` because only the thread that has the connection uses it.
final class CancellationCheck: @unchecked Sendable {
  /// Whether a statement may be interrupted: it only reads, and its caller does not need the remaining rows.
  var isOn = false

  /// The number of virtual machine steps between two checks, which take some tenths of a millisecond.
  private static let stepCount: Int32 = 10_000

  /// Installs the progress handler. The object must outlive the connection.
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
