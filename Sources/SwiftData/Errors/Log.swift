import Logging

/// Loggers for what cannot be reported by throwing.
enum Log {
  static let model = Logger(label: "swiftdata.model")
  static let fetch = Logger(label: "swiftdata.fetch")
  static let store = Logger(label: "swiftdata.store")
  /// Made anew each time that a store is opened, with the level that the program has chosen by then.
  static var sql: Logger { Logger(label: "swiftdata.sql") }
}
