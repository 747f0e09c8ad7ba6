import SystemSQLite

import struct Synchronization.Atomic

/// Decides when the write-ahead log is checkpointed: whenever it has grown by SQLite's default interval, and less often while
/// readers of older states keep a checkpoint from emptying the log.
///
/// Each attempt reads the whole log. SQLite's own hook makes an attempt at each commit once the log is long, so a long write
/// beside a long read would take quadratic time.
final class CheckpointSchedule: Sendable {
  /// In pages.
  private static let interval: Int32 = 1000
  /// The length of the log at which the next attempt is made, in pages.
  private let next = Atomic<Int32>(interval)

  /// Installs the schedule on a connection. The schedule must outlive the connection.
  func install(on handle: OpaquePointer) {
    sqlite3_wal_hook(
      handle,
      { schedule, handle, _, pageCount in
        guard let schedule, let handle else { return SQLITE_OK }
        Unmanaged<CheckpointSchedule>.fromOpaque(schedule).takeUnretainedValue().didCommit(handle, pageCount)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// - Parameter pageCount: The number of pages in the log.
  private func didCommit(_ handle: OpaquePointer, _ pageCount: Int32) {
    // The log is short again: SQLite restarts a log whose pages are all in the file.
    if pageCount < Self.interval { return next.store(Self.interval, ordering: .relaxed) }
    guard pageCount >= next.load(ordering: .relaxed) else { return }
    var (length, folded): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &folded)
    let isWhole = code == SQLITE_OK && length == folded
    next.store(isWhole ? Self.interval : pageCount.multipliedReportingOverflow(by: 2).partialValue, ordering: .relaxed)
  }
}
