import Relational

/// Turns errors of a driver into errors about stores and models.
enum StoreErrors {
  static func opening(_ configuration: ModelConfiguration, _ error: any Error) -> SwiftDataError {
    var message = "The store at \(configuration.place) cannot be opened"
    let cause = error as? DatabaseError
    // Only the driver knows the reason: a missing folder, a folder in place of the file, what a server refuses.
    if let cause, cause.reason == .cannotOpen || configuration.server != nil { message += ": \(cause.message)" }
    let hint =
      cause.flatMap { SwiftDataError.StoreFailureReason($0.reason).hint(nil, isOnServer: configuration.server != nil) }
      ?? "The \(configuration.hasFile ? "file" : "store") was not changed."
    return SwiftDataError.loadIssueModelContainer.with(
      message: message + ".", hint: hint, sql: cause?.sql, underlying: error)
  }

  /// Describes the violated rule of a table; nil for other errors.
  static func brokenRule(_ error: DatabaseError) -> String? {
    switch error.reason {
    case .uniqueViolation: "Another model has the same unique values already."
    case .foreignKeyViolation: "A model that others still refer to was deleted, or a reference is dangling."
    case .notNullViolation: "A value is required, and there is none."
    case .checkViolation: "A CHECK constraint of the store is violated."
    default: nil
    }
  }

  static func reading(_ configuration: ModelConfiguration, _ error: DatabaseError) -> SwiftDataError {
    .storeFailure(.reading, store: configuration.name, isOnServer: configuration.server != nil, error: error)
  }

  static func writing(_ configuration: ModelConfiguration, _ error: DatabaseError) -> SwiftDataError {
    .storeFailure(.writing, store: configuration.name, isOnServer: configuration.server != nil, error: error)
  }
}

extension SwiftDataError {
  /// Wraps an error of a driver.
  static func storeFailure(
    _ operation: StoreOperation, store: String, isOnServer: Bool = false, error: DatabaseError,
    identifiers: [PersistentIdentifier] = []
  ) -> SwiftDataError {
    storeFailure(
      operation, store: store, reason: StoreFailureReason(error.reason), message: error.message,
      hint: error.reason == .damagedSearch
        ? "Make a new ModelContainer with allowsSave: true, which rebuilds the search index." : nil,
      isOnServer: isOnServer, sql: error.sql, identifiers: identifiers, isTooComplex: error.reason == .tooComplex,
      arithmeticFailure: ArithmeticFailure(rawValue: error.message))
  }
}

extension SwiftDataError.StoreFailureReason {
  fileprivate init(_ reason: DatabaseError.Reason) {
    self =
      switch reason {
      case .busy, .overtaken, .interrupted, .conflict: .busy
      case .disconnected: .disconnected
      case .commitUnknown: .commitUnknown
      case .corrupt, .damagedSearch: .corrupt
      case .notADatabase: .notADatabase
      case .diskFull: .diskFull
      case .readOnly: .readOnly
      case .cannotOpen: .cannotOpen
      case .moved: .moved
      case .closed: .closed
      case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation: .constraint
      case .refusedByTrigger, .tooComplex, .missingRows, .other: .other
      }
  }
}
