package import Relational

extension DatabaseError {
  static var closed: DatabaseError { DatabaseError(reason: .closed, message: "the database is closed") }

  static func disconnected(_ message: String, sql: String? = nil) -> DatabaseError {
    DatabaseError(reason: .disconnected, message: message, sql: sql)
  }

  static func other(_ message: String, sql: String? = nil) -> DatabaseError {
    DatabaseError(reason: .other, message: message, sql: sql)
  }

  /// The error that the server answered a statement with.
  ///
  /// - Parameter wasCancelled: Whether this process had asked the server to cancel the statement.
  init(state: String, message: String, sql: String?, wasCancelled: Bool = false) {
    let isQuery = sql.map { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") || $0.hasPrefix("(") } ?? false
    let reason = Reason(state: state, isQuery: isQuery, wasCancelled: wasCancelled)
    // Messages about data quote it, and no message may have values that were bound.
    let text = state.hasPrefix("22") ? Self.withoutQuotations(message) : message
    self.init(reason: reason, message: "\(text) [\(state)]", sql: sql)
  }

  private static func withoutQuotations(_ message: String) -> String {
    let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return message }
    return "\(first)\"…\"\(parts.count > 2 ? last : "")"
  }
}

extension DatabaseError.Reason {
  /// The meaning of an SQLSTATE.
  package init(state: String, isQuery: Bool, wasCancelled: Bool = false) {
    switch state {
    case "23505": self = .uniqueViolation
    case "23503": self = .foreignKeyViolation
    case "23502": self = .notNullViolation
    case "23514": self = .checkViolation
    case "P0001": self = .refusedByTrigger
    case "55P03", "53300": self = .busy
    case "57014": self = wasCancelled ? .interrupted : .busy
    case "53100": self = .diskFull
    case "42501", "25006": self = .readOnly
    case "57P01", "57P02", "57P03": self = .disconnected
    case "40001", "40P01": self = .conflict
    case "3D000": self = .cannotOpen
    case "XX001", "XX002": self = .corrupt
    // Expressions that the database's types do not allow, or that need a collation which a role could not create, and
    // calculations that exceed the types: the caller can evaluate them itself.
    case "42704", "42883", "42804", "42P18", "42725", "42846", "42803", "42P21", "42P22": self = .tooComplex
    case "22P02", "22003", "22012": self = isQuery ? .tooComplex : .other
    default:
      switch state.prefix(2) {
      case "08": self = .disconnected
      case "28": self = .cannotOpen
      case "54": self = .tooComplex
      default: self = .other
      }
    }
  }
}
