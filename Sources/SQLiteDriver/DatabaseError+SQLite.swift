import Relational
import SystemSQLite

extension DatabaseError {
  /// The error for `code`, which a call on `connection` has just returned.
  init(code: Int32, connection: OpaquePointer?, sql: String? = nil) {
    let isLast = connection != nil && sqlite3_extended_errcode(connection) & 0xff == code & 0xff
    let code = isLast ? sqlite3_extended_errcode(connection) : code
    let text = isLast ? sqlite3_errmsg(connection) : sqlite3_errstr(code)
    let message = text.map { String(cString: $0) } ?? "SQLite error \(code)"
    // SQLite names the constraint of a table. A nameless one belongs to the tables in which FTS5 keeps an index, and fails
    // only when FTS5 finds other data there than it wrote. A trigger may raise the same message.
    let isNameless = code & 0xff == SQLITE_CONSTRAINT && message == "constraint failed"
    if isLast, isNameless, code != ExtendedCode.raisedByTrigger {
      self.init(reason: .damagedSearch, message: "an index for searches is damaged: \(message)", sql: sql)
    } else {
      self.init(code: code, message: message, sql: sql)
    }
  }

  init(code: Int32, message: String, sql: String?) {
    // Only the message distinguishes these from other errors in a statement.
    let isTooComplex =
      code & 0xff == SQLITE_TOOBIG || code & 0xff == SQLITE_ERROR && Self.limits.contains { message.contains($0) }
    self.init(reason: isTooComplex ? .tooComplex : Reason(code: code), message: message, sql: sql)
  }

  private static let limits = [
    "parser stack overflow", "too many SQL variables", "Expression tree is too large", "at most 64 tables in a join",
    "too many terms in ", "too many arguments on function", "too many columns in ", "variable number must be between",
  ]

  static var closed: DatabaseError {
    DatabaseError(reason: .closed, message: "the database is closed")
  }

  static var moved: DatabaseError {
    DatabaseError(reason: .moved, message: "the file was deleted, renamed or replaced while it was open")
  }
}

extension DatabaseError.Reason {
  /// The meaning of an extended result code of SQLite.
  init(code: Int32) {
    switch code {
    case ExtendedCode.uniqueViolation, ExtendedCode.primaryKeyViolation, ExtendedCode.rowIdentifierViolation:
      self = .uniqueViolation
    case ExtendedCode.foreignKeyViolation: self = .foreignKeyViolation
    case ExtendedCode.notNullViolation: self = .notNullViolation
    case ExtendedCode.checkViolation: self = .checkViolation
    case ExtendedCode.raisedByTrigger: self = .refusedByTrigger
    default:
      switch code & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
      case SQLITE_CORRUPT: self = .corrupt
      case SQLITE_NOTADB: self = .notADatabase
      case SQLITE_FULL: self = .diskFull
      case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
      case SQLITE_CANTOPEN: self = .cannotOpen
      case SQLITE_INTERRUPT: self = .interrupted
      default: self = .other
      }
    }
  }
}

/// Extended result codes. Swift does not import macros that are expressions.
private enum ExtendedCode {
  static let checkViolation = SQLITE_CONSTRAINT | 1 << 8
  static let foreignKeyViolation = SQLITE_CONSTRAINT | 3 << 8
  static let notNullViolation = SQLITE_CONSTRAINT | 5 << 8
  static let primaryKeyViolation = SQLITE_CONSTRAINT | 6 << 8
  static let raisedByTrigger = SQLITE_CONSTRAINT | 7 << 8
  static let uniqueViolation = SQLITE_CONSTRAINT | 8 << 8
  static let rowIdentifierViolation = SQLITE_CONSTRAINT | 10 << 8
}
