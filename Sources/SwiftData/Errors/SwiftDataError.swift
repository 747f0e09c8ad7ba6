/// An error of SwiftData.
///
/// Two errors are equal when they are of the same kind, whatever their ``details``. So the clause
/// `catch SwiftDataError.unsupportedPredicate` and the test `error as? SwiftDataError == .modelValidationFailure` match
/// errors that carry details.
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
    case insertionConflict
    case mergeConflict
    case missingModelContext
    case backwardMigration
    case unknownSchema
    case unknownDataStoreSchema
    case storeFailure
    case aggregateOverflow
    case historyTokenExpired
    case invalidTransactionFetchRequest
    case invalidDocument
    case documentVersionTooNew
    case documentExists
    case documentInUse
    case documentMoved
  }

  let code: Code

  /// What is known about this occurrence of the error; `nil` for the static constants of this type.
  ///
  /// An addition of OpenSwiftData.
  public let details: Details?

  private init(_ code: Code, details: Details? = nil) {
    self.code = code
    self.details = details
  }

  /// A fetch in batches was asked to include pending changes, and the context has unsaved changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)

  /// A fetch of models or of groups has a negative limit or a negative offset, or a batch size is less than one.
  ///
  /// An addition of OpenSwiftData.
  public static let invalidFetchDescriptor = SwiftDataError(.invalidFetchDescriptor)

  /// An enumeration that does not allow escaping mutations met unsaved changes, at its beginning or after a batch.
  ///
  /// An addition of OpenSwiftData: Apple does not name the error.
  public static let escapingMutations = SwiftDataError(.escapingMutations)

  /// A predicate or an expression has a part that cannot be evaluated.
  ///
  /// The store cannot evaluate the part and ``ModelContext/allowsInMemoryEvaluation`` is false, or the part cannot be
  /// evaluated in memory either: for example because an integer overflows for the values of a model.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)

  /// A key path does not lead to a persisted property of the kind that is needed.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)

  /// A fetch of identifiers asked for a sort order and for unsaved changes at once.
  ///
  /// This release does not throw the error: it sorts the identifiers of unsaved models too.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)

  /// A sort descriptor cannot be used.
  ///
  /// The store cannot sort by it and ``ModelContext/allowsInMemoryEvaluation`` is false, or it sorts groups by a key
  /// that they do not have.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)

  /// Two configurations of a container have the same name or the same file.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)

  /// The name of a configuration or of its file has more than 255 bytes.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)

  /// The name of a configuration is empty, or contains a slash or a null character.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)

  /// The schema of a configuration has a model that the container's schema does not have.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)

  /// A container could not be made, because its schema is invalid or a store cannot be opened.
  ///
  /// An open container throws the error when another program has changed the tables of a store in the meantime.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)

  /// A model breaks a rule of its schema, or a value cannot be read or written.
  ///
  /// When a save has checked the models, ``Details/issues`` lists every rule that is broken. A save to a store that is
  /// opened for reading only throws this error as well.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)

  /// An inserted model has unique values that another model of the store has, or another inserted model, and
  /// ``ModelContext/allowsUpserts`` is false.
  ///
  /// The details name the entity, the properties, the inserted model and the one that is there, in this order, and no
  /// values. A change that gives a saved model the unique values of another throws ``modelValidationFailure``. An addition
  /// of OpenSwiftData.
  public static let insertionConflict = SwiftDataError(.insertionConflict)

  /// Others have changed what a save is about to overwrite, and ``ModelContext/mergePolicy`` is
  /// ``MergePolicy/throwOnConflict``.
  ///
  /// ``Details/conflicts`` lists what was changed on both sides. Nothing was saved. See
  /// ``ModelContext/resolve(_:keeping:)``. An addition of OpenSwiftData.
  public static let mergeConflict = SwiftDataError(.mergeConflict)

  /// An operation needs a context, and the model has none.
  ///
  /// This release does not throw the error.
  public static let missingModelContext = SwiftDataError(.missingModelContext)

  /// A store has a later version than the container's schema: the migration plan leads there, and not back.
  ///
  /// The store was not changed. The details name the version. A stage that leads back lets the container open the
  /// store.
  public static let backwardMigration = SwiftDataError(.backwardMigration)

  /// A model type was used that the schema of the container or the store does not have, or a frozen version has changed.
  ///
  /// `VersionedSchema.checkFrozen(at:)` of `SwiftDataTesting` throws it when a version has changed since it was frozen,
  /// with what has changed in ``Details/issues``, or when the file of the version cannot be read. So does
  /// `ModelContainer.makeStore(ofFrozenSchema:at:)` for such a file.
  public static let unknownSchema = SwiftDataError(.unknownSchema)

  /// A store does not tell which schema it was written with.
  ///
  /// This release does not throw the error.
  public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

  /// A store failed, because of a full disk, a damaged file, a lock that was not released in time, or the like.
  ///
  /// ``Details/failureReason`` says why, ``Details/store`` names the configuration of the store, and ``Details/sql`` is the
  /// statement that failed:
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error.details?.failureReason == .busy {
  ///   // Save again later.
  /// }
  /// ```
  ///
  /// When a save throws this error, nothing was written to that store, and the context keeps its unsaved changes of models
  /// in that store. ``Details/savedStores`` names the stores that were saved before, and
  /// ``Details/persistentIdentifiers`` the models that were being written, as far as they are known. An addition of
  /// OpenSwiftData: in these cases Apple's framework throws errors of Core Data.
  public static let storeFailure = SwiftDataError(.storeFailure)

  /// A sum of integers is larger than its type can hold.
  ///
  /// The details name the entity and the property. An addition of OpenSwiftData.
  public static let aggregateOverflow = SwiftDataError(.aggregateOverflow)

  /// Transactions behind a token were deleted, so that nobody can tell any more what happened since.
  ///
  /// Discard the token, read what the stores have, and go on from the last transaction. Thrown by
  /// ``ModelContext/fetchHistory(_:)`` and ``HistoryObserver``.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)

  /// A request for history transactions cannot be carried out.
  ///
  /// This release does not throw the error: a descriptor that the store cannot evaluate is evaluated in memory.
  public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

  /// There is no document at a URL, or it is not one of the ``DocumentType`` that was asked for.
  ///
  /// The file was not changed. The message says what was found, and of which type. An addition of OpenSwiftData, as the
  /// other errors of documents are.
  public static let invalidDocument = SwiftDataError(.invalidDocument)

  /// A document was written by a program with a later version of its schema.
  ///
  /// The file was not changed. The message names both versions.
  public static let documentVersionTooNew = SwiftDataError(.documentVersionTooNew)

  /// There is something already where a document is to be created, copied or moved to.
  public static let documentExists = SwiftDataError(.documentExists)

  /// Another process, or another ``PersistentDocument`` of this one, has the document open, and one of the two has to be the
  /// only one.
  public static let documentInUse = SwiftDataError(.documentInUse)

  /// The file of an open document was moved, replaced or deleted by another program.
  ///
  /// Nothing was written. ``PersistentDocument/save(as:)`` saves what the document has to another place.
  public static let documentMoved = SwiftDataError(.documentMoved)

  /// Whether both errors are of the same kind; their ``details`` are not compared.
  public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool {
    lhs.code == rhs.code
  }

  /// Feeds the kind of the error to the hasher, without its ``details``.
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
