extension SwiftDataError {
  /// The operation during which a store failed.
  enum StoreOperation: String {
    case reading = "Reading"
    case writing = "Writing"
    case closing = "Closing"
    case copying = "Copying"
  }

  /// Whether the statement exceeds the database's limits of size or depth.
  var isTooComplex: Bool { details?.isTooComplex == true }

  /// The failure of a sum or a mean in the statement.
  var arithmeticFailure: ArithmeticFailure? { details?.arithmeticFailure }

  /// - Parameters:
  ///   - store: The name of the configuration of the store.
  ///   - message: The message of the database.
  ///   - hint: What to do about the failure; nil for the hint of the reason.
  ///   - isOnServer: Whether the store is in a database of a server.
  static func storeFailure(
    _ operation: StoreOperation, store: String, reason: StoreFailureReason, message: String, hint: String? = nil,
    isOnServer: Bool = false, sql: String? = nil, identifiers: [PersistentIdentifier] = [], isTooComplex: Bool = false,
    arithmeticFailure: ArithmeticFailure? = nil
  ) -> SwiftDataError {
    SwiftDataError.storeFailure.with(
      Details(
        message: "\(operation.rawValue) the store \"\(store)\" failed: \(message) (\(reason.rawValue)).",
        hint: hint ?? reason.hint(operation, isOnServer: isOnServer), sql: sql, persistentIdentifiers: identifiers,
        storeFailureReason: reason, store: store, isTooComplex: isTooComplex, arithmeticFailure: arithmeticFailure))
  }

  /// The error for a failure to read or write a file other than the database.
  static func storeFailure(
    _ operation: StoreOperation, store: String, reason: StoreFailureReason? = nil, file: String, _ error: any Error
  ) -> SwiftDataError {
    storeFailure(
      operation, store: store, reason: reason ?? StoreFailureReason(ofFile: error),
      message: ErrorText.unusableFile(file, error))
  }
}

extension SwiftDataError.StoreFailureReason {
  /// What to do about a failure.
  ///
  /// - Parameters:
  ///   - operation: The operation that failed; nil for opening the store.
  ///   - isOnServer: Whether the store is in a database of a server, and not in a file.
  /// - Returns: Nil when only the message says more.
  func hint(_ operation: SwiftDataError.StoreOperation?, isOnServer: Bool = false) -> String? {
    switch self {
    case .busy where isOnServer && operation != .closing:
      "Repeat the call. If that fails too, raise the timeouts or connections.maximumCount of the configuration."
    case .diskFull where isOnServer: "Free disk space of the database server, and repeat the call."
    case .readOnly where isOnServer:
      "Grant the role the missing rights, or configure the store with allowsSave: false."
    case .cannotOpen where isOnServer:
      "Check the address, the database, the password and the rights of the role. The store was not changed."
    case .busy where operation == .closing:
      "End the transactions and fetches that use the store, then close the container again."
    case .busy:
      "Repeat the call. If that fails too, raise options.busyTimeout of the configuration, and keep transactions short."
    case .corrupt: "The file is damaged. Restore a backup of the store."
    case .notADatabase: "The file is no database. Choose another file, or restore a backup of the store."
    case .diskFull: operation == .writing ? "Free disk space, and save again." : "Free disk space, and repeat the call."
    case .readOnly where operation == nil:
      "Make the file and its folder writable, or configure the store with allowsSave: false."
    case .readOnly: "Check the permissions: the file and its folder must be writable."
    case .cannotOpen:
      "Check the path and its permissions: a store is an ordinary file, in a folder that exists and can be written."
    case .moved: "Open the container again, at the new location of the file."
    case .closed: "Make a new ModelContainer."
    case .disconnected: "Check that the database server runs and can be reached, and repeat the call."
    case .commitUnknown: "Fetch to find out whether the changes are saved, before you save them again."
    case .targetExists: "Choose another URL, or remove the file."
    case .constraint, .other: nil
    }
  }
}
