import Logging

/// Loggers for failures and notices that cannot be thrown.
enum Log {
  static let model = Logger(label: "swiftdata.model")
  static let fetch = Logger(label: "swiftdata.fetch")
  static let store = Logger(label: "swiftdata.store")
  /// A new logger each time that a store is opened, with the program's current log level.
  static var sql: Logger { Logger(label: "swiftdata.sql") }
}
