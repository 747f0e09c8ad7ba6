import SystemSQLite

import struct Synchronization.Atomic

/// When the log of a file is folded into it: whenever it has grown by as much as SQLite's own default says, and later
/// where readers of older states keep that from emptying it.
///
/// Each attempt goes through all of the log. SQLite's own hook makes one at each commit from then on, so that a long write
/// beside a long read would take time with the square of what it writes.
final class CheckpointSchedule: Sendable {
  /// In pages.
  private static let interval: Int32 = 1000
  /// How long the log may be until the next attempt, in pages.
  private let next = Atomic<Int32>(interval)

  /// Has a connection follow the schedule, which outlives it.
  func install(on handle: OpaquePointer) {
    sqlite3_wal_hook(
      handle,
      { schedule, handle, _, pageCount in
        guard let schedule, let handle else { return SQLITE_OK }
        Unmanaged<CheckpointSchedule>.fromOpaque(schedule).takeUnretainedValue().didCommit(handle, pageCount)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// - Parameter pageCount: How many pages the log has.
  private func didCommit(_ handle: OpaquePointer, _ pageCount: Int32) {
    // Short again: a log whose pages are all in the file is begun anew.
    if pageCount < Self.interval { return next.store(Self.interval, ordering: .relaxed) }
    guard pageCount >= next.load(ordering: .relaxed) else { return }
    var (length, folded): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &folded)
    let isWhole = code == SQLITE_OK && length == folded
    next.store(isWhole ? Self.interval : pageCount.multipliedReportingOverflow(by: 2).partialValue, ordering: .relaxed)
  }
}
