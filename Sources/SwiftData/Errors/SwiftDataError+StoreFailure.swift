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

  /// - Parameters:
  ///   - store: The name of the configuration of the store.
  ///   - message: The message of the database.
  static func storeFailure(
    _ operation: StoreOperation, store: String, reason: StoreFailureReason, message: String, sql: String? = nil,
    identifiers: [PersistentIdentifier] = [], isTooComplex: Bool = false
  ) -> SwiftDataError {
    SwiftDataError.storeFailure.with(
      Details(
        message: "\(operation.rawValue) the store \"\(store)\" failed: \(message) (\(reason.rawValue)).", sql: sql,
        persistentIdentifiers: identifiers, storeFailureReason: reason, store: store, isTooComplex: isTooComplex))
  }

  /// The error for a failure to read or write a file other than the database.
  static func storeFailure(
    _ operation: StoreOperation, store: String, reason: StoreFailureReason? = nil, file: String, _ error: any Error
  ) -> SwiftDataError {
    storeFailure(
      operation, store: store, reason: reason ?? StoreFailureReason(ofFile: error),
      message: ErrorText.unusableFile(file, error))
  }

  /// Whether the message of a database that failed contains a text.
  func isStoreFailure(containing text: String) -> Bool {
    self == .storeFailure && details?.message?.contains(text) == true
  }
}
