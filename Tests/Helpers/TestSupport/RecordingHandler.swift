import Logging
import Support

/// Records log messages.
final class RecordingHandler: LogHandler, Sendable {
  struct Entry {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
  }

  private let entries = Mutex<[Entry]>([])
  private let level: Logger.Level

  init(_ level: Logger.Level = .trace) {
    self.level = level
  }

  /// With the level of each message.
  var messages: [String] { entries.withLock { $0.map { "\($0.level): \($0.message)" } } }

  var logLevel: Logger.Level {
    get { level }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let entry = Entry(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:])
    entries.withLock { $0.append(entry) }
  }

  func take() -> [Entry] {
    entries.withLock { entries in
      defer { entries.removeAll() }
      return entries
    }
  }
}
