import Logging
import Support

/// What was logged, with the level of each message.
final class RecordingHandler: LogHandler, Sendable {
  let messages = Mutex<[String]>([])
  var logLevel: Logger.Level {
    get { .trace }
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
    messages.withLock { $0.append("\(event.level): \(event.message)") }
  }
}
