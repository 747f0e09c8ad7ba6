/// The settings of a session on the server.
struct SessionSettings {
  private var values: [(name: String, value: String)]

  init(_ configuration: PostgresConfiguration) {
    values = [
      ("search_path", configuration.schema.inDoubleQuotes),
      ("lock_timeout", Self.milliseconds(configuration.busyTimeout)),
      ("statement_timeout", configuration.statementTimeout.map(Self.milliseconds) ?? "0"),
      ("standard_conforming_strings", "on"),
      ("client_min_messages", "error"),
    ]
    if configuration.isReadOnly { values += ["transaction", "default_transaction"].map { ("\($0)_read_only", "on") } }
  }

  /// Zero would mean any time.
  private static func milliseconds(_ seconds: Double) -> String {
    String(Int32(min(max(1, (seconds * 1000).rounded(.up)), Double(Int32.max))))
  }

  /// The statement that makes them valid.
  ///
  /// - Parameter isLocal: Whether they are valid until the end of the transaction only.
  func sql(isLocal: Bool) -> String {
    let calls = values.map { "set_config(\($0.name.inSingleQuotes), \($0.value.inSingleQuotes), \(isLocal))" }
    return "SELECT " + calls.joined(separator: ", ")
  }
}

extension String {
  /// The text as an identifier in SQL.
  var inDoubleQuotes: String { quoted("\"") }

  /// The text as a literal in SQL.
  var inSingleQuotes: String { quoted("'") }

  private func quoted(_ quote: String) -> String {
    quote + split(separator: quote, omittingEmptySubsequences: false).joined(separator: quote + quote) + quote
  }
}
