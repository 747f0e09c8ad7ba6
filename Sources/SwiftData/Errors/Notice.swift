import Logging
import Support

/// Log messages about code that works but is probably a mistake. A process logs each text once.
enum Notice {
  private static let said = Mutex(RecentValues<String, Void>(capacity: 1000))

  /// Logs a text, unless the process has logged it already.
  static func say(_ text: String, to logger: Logger) {
    let isKnown = said.withLock { said in
      if said[text] != nil { return true }
      said[text] = ()
      return false
    }
    if !isKnown { logger.notice("\(text)") }
  }
}
