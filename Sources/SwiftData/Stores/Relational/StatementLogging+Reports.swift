import Logging
import Relational

extension ModelConfiguration.StatementLogging {
  /// How many characters of SQL with values are logged.
  static var lengthLimit: Int { 4000 }

  /// Logs the statements of a store; nil if nothing would be logged.
  func reporter(store: String, to logger: Logger) -> (@Sendable (StatementReport) -> Void)? {
    let isTraced = logger.logLevel <= .trace
    let threshold = logger.logLevel <= .notice ? slowThreshold : nil
    if !isTraced, threshold == nil { return nil }
    return { [includesValues] report in
      let isSlow = threshold.map { report.duration >= $0 } ?? false
      guard isSlow || isTraced else { return }
      var metadata: Logger.Metadata = [
        "store": "\(store)", "milliseconds": "\(report.duration.milliseconds)", "rows": "\(report.rowCount)",
      ]
      if let error = report.error { metadata["error"] = "\(error.message)" }
      let sql = includesValues ? report.sql.cut(to: Self.lengthLimit) : report.sql
      logger.log(level: isSlow ? .notice : .trace, "\(sql)", metadata: metadata)
    }
  }

  /// Watches the database of a store for calls that block one of Swift's threads; nil if no warning would be logged.
  func blockingWatch(store: String, to logger: Logger) -> BlockingWatch? {
    guard let blockingThreshold, logger.logLevel <= .warning else { return nil }
    return BlockingWatch(store: store, threshold: blockingThreshold, logger: logger)
  }
}

extension Duration {
  /// Milliseconds with three decimal places.
  var milliseconds: String {
    let (seconds, attoseconds) = components
    let microseconds = attoseconds / 1_000_000_000_000
    let digits = String(1000 + microseconds % 1000).dropFirst()
    return "\(seconds * 1000 + microseconds / 1000).\(digits)"
  }
}

extension String {
  func cut(to limit: Int) -> String {
    guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
    return self[..<end] + "…"
  }
}
