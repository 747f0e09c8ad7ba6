import Logging

// The code of a guide. It is compiled, and not run.

enum LoggingGuide {
  static func logStatements() {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = label == "swiftdata.sql" ? .trace : .info
      return handler
    }
  }
}
