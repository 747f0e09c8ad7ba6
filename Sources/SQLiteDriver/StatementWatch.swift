import Relational
import SystemSQLite

/// Measures the runs of one statement for a `StatementObserver`.
final class StatementWatch {
  private let observer: StatementObserver
  private var isRunning = false
  /// The time of the last call into SQLite, while SQLite runs.
  private var start: ContinuousClock.Instant?
  private var duration = Duration.zero
  private var rowCount = 0
  /// The connection's count of changed rows before the run.
  private var previousChanges: Int64 = 0

  init(_ observer: StatementObserver) {
    self.observer = observer
  }

  /// Called before each call into SQLite.
  func begin(_ handle: OpaquePointer?, _ sql: String, isControl: Bool = false) {
    if !isRunning {
      isRunning = true
      duration = .zero
      rowCount = 0
      previousChanges = handle.map { sqlite3_total_changes64(sqlite3_db_handle($0)) } ?? 0
      if !isControl { observer.began?(sql) }
    }
    if observer.ended != nil { start = .now }
  }

  /// Called when SQLite has returned a row.
  func pause() {
    rowCount += 1
    stopClock()
  }

  /// Called when the run is over, while the values are still bound. Each run is reported once.
  func end(_ handle: OpaquePointer?, _ sql: String, _ error: DatabaseError? = nil) {
    guard isRunning else { return }
    isRunning = false
    stopClock()
    guard let ended = observer.ended else { return }
    let text = observer.includesValues ? handle.flatMap(Self.expanded) ?? sql : sql
    ended(StatementReport(sql: text, duration: duration, rowCount: rowCount + changes(handle), error: error))
  }

  private func stopClock() {
    if let start { duration += start.duration(to: .now) }
    start = nil
  }

  /// The number of rows that a statement changed. SQLite's own count belongs to the last statement that changed any.
  private func changes(_ handle: OpaquePointer?) -> Int {
    guard let handle, sqlite3_column_count(handle) == 0, let connection = sqlite3_db_handle(handle),
      sqlite3_total_changes64(connection) > previousChanges
    else { return 0 }
    return Int(sqlite3_changes64(connection))
  }

  /// The SQL with values instead of parameters; nil when that exceeds SQLite's limit for a text.
  private static func expanded(_ handle: OpaquePointer) -> String? {
    guard let text = sqlite3_expanded_sql(handle) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
