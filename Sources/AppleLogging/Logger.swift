#if !canImport(Darwin)
  import Logging

  /// Writes messages to swift-log, with the interface of Apple's `Logger`.
  ///
  /// The label is the subsystem and the category with a point between, so that `LoggingSystem.bootstrap` decides where messages
  /// go. A message is formatted only when its level is logged.
  public struct Logger: Sendable {
    private let logger: Logging.Logger

    /// Makes a logger without a subsystem.
    public init() {
      logger = Logging.Logger(label: "default")
    }

    /// Makes a logger whose label is `subsystem.category`.
    public init(subsystem: String, category: String) {
      logger = Logging.Logger(label: "\(subsystem).\(category)")
    }

    /// Makes a logger for the subsystem and category of an `OSLog`.
    public init(_ log: OSLog) {
      logger = log.logger
    }

    /// Logs at swift-log's level `notice`.
    public func log(_ message: OSLogMessage) { write(.notice, message) }

    /// Logs at swift-log's level that corresponds to `level`.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level.level, message) }

    /// Logs at swift-log's level `trace`.
    public func trace(_ message: OSLogMessage) { write(.trace, message) }

    /// Logs at swift-log's level `debug`.
    public func debug(_ message: OSLogMessage) { write(.debug, message) }

    /// Logs at swift-log's level `info`.
    public func info(_ message: OSLogMessage) { write(.info, message) }

    /// Logs at swift-log's level `notice`.
    public func notice(_ message: OSLogMessage) { write(.notice, message) }

    /// Logs at swift-log's level `warning`.
    public func warning(_ message: OSLogMessage) { write(.warning, message) }

    /// Logs at swift-log's level `error`.
    public func error(_ message: OSLogMessage) { write(.error, message) }

    /// Logs at swift-log's level `critical`.
    public func critical(_ message: OSLogMessage) { write(.critical, message) }

    /// Logs at swift-log's level `critical`.
    public func fault(_ message: OSLogMessage) { write(.critical, message) }

    private func write(_ level: Logging.Logger.Level, _ message: OSLogMessage) {
      logger.log(level: level, "\(message.interpolation.text)")
    }
  }

  /// The subsystem and the category of messages.
  public final class OSLog: Sendable {
    let logger: Logging.Logger

    public static let `default` = OSLog(subsystem: "default", category: "default")

    public init(subsystem: String, category: String) {
      logger = Logging.Logger(label: "\(subsystem).\(category)")
    }
  }

  /// How important a message is.
  public struct OSLogType: Sendable, Hashable {
    let level: Logging.Logger.Level

    public static let `default` = OSLogType(level: .notice)
    public static let info = OSLogType(level: .info)
    public static let debug = OSLogType(level: .debug)
    public static let error = OSLogType(level: .error)
    public static let fault = OSLogType(level: .critical)
  }
#endif
