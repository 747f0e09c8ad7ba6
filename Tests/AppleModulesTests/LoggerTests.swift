import AppleLogging
import Foundation
import Logging
import Testing

/// Records log messages.
private final class Recorder: LogHandler, @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  var logLevel = Logging.Logger.Level.debug
  var metadata: Logging.Logger.Metadata = [:]

  var messages: [String] { lock.withLock { lines } }

  subscript(metadataKey _: String) -> Logging.Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lock.withLock { lines.append("\(event.level): \(event.message)") }
  }
}

@Suite("A logger with the interface of Apple's")
struct LoggerTests {
  @Test("Apple's log levels are mapped to those of swift-log, with the logger's label")
  func levels() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      LoggingSystem.bootstrap { label in
        precondition(label == "app.store")
        return recorder
      }
      let logger = AppleLogging.Logger(subsystem: "app", category: "store")
      logger.trace("\(LoggerTests.stop())")
      logger.debug("a")
      logger.info("b")
      logger.log("c")
      logger.notice("d")
      logger.warning("e")
      logger.error("f")
      logger.critical("g")
      logger.fault("h")
      logger.log(level: .error, "i")
      #expect(
        recorder.messages == [
          "debug: a", "info: b", "notice: c", "notice: d", "warning: e", "error: f", "critical: g", "critical: h",
          "error: i",
        ])
    }
  }

  private static func stop() -> Int { 0 }

  private func text(_ message: OSLogMessage) -> String { message.interpolation.description }

  @Test("Interpolated values are formatted, aligned and redacted")
  func values() {
    struct Trip: CustomStringConvertible { var description: String { "trip" } }
    let (name, count, share, isOpen) = ("Ada", 42, 0.125, true)
    #expect(text("\(name) has \(count), \(isOpen)") == "Ada has 42, true")
    #expect(text("\(name, privacy: .private) \(name, privacy: .sensitive)") == "<private> <private>")
    #expect(text("\(name, privacy: .public) \(name, privacy: .auto)") == "Ada Ada")
    #expect(text("\(name, privacy: .private(mask: .hash))") == text("\(name, privacy: .private(mask: .hash))"))
    #expect(!text("\(name, privacy: .private(mask: .hash))").contains("Ada"))
    #expect(
      text("\(share, format: .fixed(precision: 2)) \(share)") == "0.13 0.125000"
        || text("\(share, format: .fixed(precision: 2)) \(share)") == "0.12 0.125000")
    #expect(text("\(count, format: .hex) \(count, format: .decimal(minDigits: 4))") == "2a 0042")
    #expect(text("\(-count, format: .hex(includePrefix: true, uppercase: true))") == "-0x2A")
    #expect(text("[\(name, align: .right(columns: 5))][\(count, align: .left(columns: 4))]") == "[  Ada][42  ]")
    #expect(text("\(count, format: .decimal(minDigits: .min)) \(count, align: .right(columns: .min))") == "42 42")
    #expect(text("\(count, format: .decimal(minDigits: .max))").count == 1000)
    #expect(text("\(share, format: .fixed(precision: .min))") == "0")
    #expect(text("\(Trip()) \(isOpen, format: .answer) \(Int.self)") == "trip YES Int")
  }
}
