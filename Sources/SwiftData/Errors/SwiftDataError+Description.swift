public import Foundation

extension SwiftDataError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind of the error and its details, one fact a line.
  public var description: String {
    guard let details else { return "SwiftDataError.\(code.rawValue)" }
    return "SwiftDataError.\(code.rawValue)" + details.lines.map { "\n  \($0)" }.joined()
  }

  /// The same as ``description``.
  public var debugDescription: String {
    description
  }
}

extension SwiftDataError: LocalizedError {
  /// A description of the error for people, in English.
  public var errorDescription: String? {
    details?.message ?? details?.issues.first?.description ?? code.summary
  }

  /// A description of the underlying error, without the value that could not be coded; nil when there is none.
  public var failureReason: String? {
    details?.underlyingError.map(ErrorText.withoutValues)
  }

  /// What to do about the error: the hint of its ``details``.
  public var recoverySuggestion: String? {
    details?.hint
  }
}

extension SwiftDataError.Details {
  fileprivate var lines: [String] {
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    // The description repeats neither an only issue that the message quotes nor the model of an issue.
    let isQuotedByMessage = issues.count == 1 && message?.hasSuffix(issues[0].message) == true
    let named = Set(isQuotedByMessage ? [] : issues.compactMap(\.persistentIdentifier))
    var lines: [String] = []
    if let message { lines.append(message) }
    if !subject.isEmpty { lines.append("in: \(subject)") }
    if let hint { lines.append("hint: \(hint)") }
    if let sql { lines.append("SQL: \(sql)") }
    if let underlyingError { lines.append("caused by: \(ErrorText.withoutValues(underlyingError))") }
    if !savedStores.isEmpty { lines.append("saved: \(savedStores.joined(separator: ", "))") }
    lines += persistentIdentifiers.filter { !named.contains($0) }.map { "model: \($0)" }
    if !isQuotedByMessage { lines += issues.map { "- \($0)" } }
    lines += conflicts.map { conflict in
      let subject = [conflict.entity, conflict.property].compactMap(\.self).joined(separator: ".")
      return "- \(subject): \(conflict.kind) [\(conflict.persistentIdentifier)]"
    }
    return lines
  }
}

extension SwiftDataError.Code {
  fileprivate var summary: String {
    switch self {
    case .includePendingChangesWithBatchSize: "A fetch in batches cannot include unsaved changes."
    case .invalidFetchDescriptor: "A limit, an offset or a batch size of the fetch is too small."
    case .escapingMutations: "An enumeration met unsaved changes, which it does not allow."
    case .unsupportedPredicate: "The store cannot evaluate the predicate."
    case .unsupportedKeyPath: "The key path does not lead to a persisted property."
    case .sortingPendingChangesWithIdentifiers: "A sorted fetch of identifiers cannot include unsaved changes."
    case .unsupportedSortDescriptor: "The store cannot sort by the descriptor."
    case .duplicateConfiguration: "Two configurations name the same store."
    case .configurationFileNameTooLong: "The configuration's name is too long for a file name."
    case .configurationFileNameContainsInvalidCharacters: "The configuration's name cannot be part of a file name."
    case .configurationSchemaNotFoundInContainerSchema: "A configuration has a model that the container's schema lacks."
    case .loadIssueModelContainer: "The model container could not be made."
    case .modelValidationFailure: "A model breaks a rule of its schema."
    case .insertionConflict: "Another model has the unique values of an inserted model."
    case .mergeConflict: "Another context or process has changed values that the save would overwrite."
    case .missingModelContext: "The model belongs to no context."
    case .backwardMigration: "The store is newer than the last version of the migration plan."
    case .unknownSchema: "The migration plan does not know the store's schema."
    case .unknownDataStoreSchema: "The store does not record its schema."
    case .storeFailure: "A store failed."
    case .aggregateOverflow: "A sum is too large for its type."
    case .historyTokenExpired: "Transactions after the history token were deleted."
    case .invalidTransactionFetchRequest: "The store cannot evaluate the request for history transactions."
    case .invalidDocument: "The file is not a document of the type."
    case .documentVersionTooNew: "The document was written by a later version of the program."
    case .documentExists: "A file or folder exists at the URL of the document."
    case .documentInUse: "The document is open elsewhere."
    case .documentMoved: "The file of the document was moved, replaced or deleted."
    }
  }
}
