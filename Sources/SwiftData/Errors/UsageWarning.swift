import Logging
import Support

/// Log messages about code that works but is probably a mistake. A process logs each text once.
enum UsageWarning {
  private static let logged = Mutex(RecentValues<String, Void>(capacity: 1000))

  /// Logs a text, unless the process has logged it already.
  static func logOnce(_ text: String, to logger: Logger) {
    let isKnown = logged.withLock { logged in
      if logged[text] != nil { return true }
      logged[text] = ()
      return false
    }
    if !isKnown { logger.notice("\(text)") }
  }
}
