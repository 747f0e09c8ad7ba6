import Logging
import Support

/// What a program should hear of once: something that works, and may not be meant.
enum Notice {
  private static let said = Mutex(RecentValues<String, Void>(capacity: 1000))

  /// Logs a notice, unless the process has logged it already.
  static func say(_ text: String, to logger: Logger) {
    let isKnown = said.withLock { said in
      if said[text] != nil { return true }
      said[text] = ()
      return false
    }
    if !isKnown { logger.notice("\(text)") }
  }
}
