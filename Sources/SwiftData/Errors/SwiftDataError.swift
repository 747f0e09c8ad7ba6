/// What went wrong, in SwiftData's own terms.
///
/// Two errors are equal when their kind is, whatever their ``details``, so `catch SwiftDataError.unsupportedPredicate`
/// and `error as? SwiftDataError == .modelValidationFailure` match an error that explains itself at length.
public struct SwiftDataError: Error, Hashable {
  enum Code: String, Sendable {
    case includePendingChangesWithBatchSize
    case invalidFetchDescriptor
    case escapingMutations
    case unsupportedPredicate
    case unsupportedKeyPath
    case sortingPendingChangesWithIdentifiers
    case unsupportedSortDescriptor
    case duplicateConfiguration
    case configurationFileNameTooLong
    case configurationFileNameContainsInvalidCharacters
    case configurationSchemaNotFoundInContainerSchema
    case loadIssueModelContainer
    case modelValidationFailure
    case missingModelContext
    case backwardMigration
    case unknownSchema
    case unknownDataStoreSchema
    case historyTokenExpired
    case invalidTransactionFetchRequest
  }

  let code: Code

  /// What is known about this occurrence. An addition of OpenSwiftData; `nil` for the bare constants below.
  public let details: Details?

  private init(_ code: Code, details: Details? = nil) {
    self.code = code
    self.details = details
  }

  /// A fetch asked for batches and for unsaved changes at once.
  public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)

  /// A fetch asks for what cannot be: a negative limit or offset, or batches without models. An addition of OpenSwiftData.
  public static let invalidFetchDescriptor = SwiftDataError(.invalidFetchDescriptor)

  /// An enumeration left changes behind that are not saved, though it was not told to allow them. An addition of
  /// OpenSwiftData: Apple does not name the error.
  public static let escapingMutations = SwiftDataError(.escapingMutations)

  /// A predicate has a part that the store cannot evaluate, or one that overflows in memory for what is in a model.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)

  /// A key path leads to something that is no persisted property.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)

  /// A fetch of identifiers asked for a sort order and for unsaved changes at once.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)

  /// A sort descriptor compares by something that the store cannot order.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)

  /// Two configurations of a container name the same store.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)

  /// The file name that follows from a configuration's name is longer than a file system allows.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)

  /// A configuration's name has characters that a file name cannot have.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)

  /// A configuration's schema has models that its container's schema lacks.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)

  /// A container could not be made: its schema is invalid, or a store did not open.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)

  /// A model breaks a rule of its schema; ``Details/issues`` lists every rule that a save found broken.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)

  /// An operation needs a context, and the model or its context is gone.
  public static let missingModelContext = SwiftDataError(.missingModelContext)

  /// The store was written by a later version of the schema than the migration plan ends with.
  public static let backwardMigration = SwiftDataError(.backwardMigration)

  /// A migration plan does not know the schema of the store.
  public static let unknownSchema = SwiftDataError(.unknownSchema)

  /// A store does not tell which schema it was written with.
  public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

  /// The history that a token points at was deleted.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)

  /// A request for history transactions cannot be carried out.
  public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

  /// Whether both errors are of one kind; their ``details`` do not count.
  public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool {
    lhs.code == rhs.code
  }

  /// Feeds the kind of the error, and nothing of its ``details``, to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
  }

  /// Lets a `catch` clause name one kind of error.
  public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool {
    (rhs as? SwiftDataError)?.code == lhs.code
  }

  /// The same kind of error, explained.
  func with(_ details: Details) -> SwiftDataError {
    SwiftDataError(code, details: details)
  }

  /// The same kind of error, explained.
  func with(
    entity: String? = nil, property: String? = nil, message: String? = nil, hint: String? = nil, sql: String? = nil,
    underlying: (any Error)? = nil, identifiers: [PersistentIdentifier] = [], issues: [Issue] = []
  ) -> SwiftDataError {
    with(
      Details(
        entity: entity, property: property, message: message, hint: hint, sql: sql, underlyingError: underlying,
        persistentIdentifiers: identifiers, issues: issues))
  }
}
