/// An error of SwiftData.
///
/// Two errors are equal when they are of the same kind, whatever their ``details``. Therefore the clause
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

  /// The facts about this occurrence of the error; `nil` for the static constants of this type.
  ///
  /// An addition of OpenSwiftData.
  public let details: Details?

  private init(_ code: Code, details: Details? = nil) {
    self.code = code
    self.details = details
  }

  /// A fetch in batches was asked to include pending changes, and the context has unsaved changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)

  /// A fetch of models or of groups has a negative limit, a negative offset, or a batch size less than one.
  ///
  /// An addition of OpenSwiftData.
  public static let invalidFetchDescriptor = SwiftDataError(.invalidFetchDescriptor)

  /// An enumeration that does not allow escaping mutations found unsaved changes, at its beginning or after a batch.
  ///
  /// An addition of OpenSwiftData: Apple does not name the error.
  public static let escapingMutations = SwiftDataError(.escapingMutations)

  /// A predicate or an expression has a part that cannot be evaluated.
  ///
  /// The store cannot evaluate the part and ``ModelContext/allowsInMemoryEvaluation`` is false, or the part cannot be
  /// evaluated in memory either, for example because an integer overflows for the values of a model.
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
  /// The details name the entity, the properties, and the inserted and the existing model, in this order, and no values.
  /// A change that gives a saved model the unique values of another throws ``modelValidationFailure``. An addition of
  /// OpenSwiftData.
  public static let insertionConflict = SwiftDataError(.insertionConflict)

  /// Another context or process has changed values that the save would overwrite, and ``ModelContext/mergePolicy`` is
  /// ``MergePolicy/throwOnConflict``.
  ///
  /// ``Details/conflicts`` lists the changes of both sides. Nothing was saved. See
  /// ``ModelContext/resolve(_:keeping:)``. An addition of OpenSwiftData.
  public static let mergeConflict = SwiftDataError(.mergeConflict)

  /// An operation needs a context, and the model has none.
  ///
  /// This release does not throw the error.
  public static let missingModelContext = SwiftDataError(.missingModelContext)

  /// A store has a later version than the container's schema, and the migration plan has no stages back.
  ///
  /// The store was not changed. The details name the version. To open the store, add a stage from the later version back.
  public static let backwardMigration = SwiftDataError(.backwardMigration)

  /// A model type was used that the schema of the container or the store does not have, or a frozen version has changed.
  ///
  /// `VersionedSchema.checkFrozen(at:)` of `SwiftDataTesting` throws it when a version has changed since it was frozen,
  /// with the changes in ``Details/issues``, or when the file of the version cannot be read.
  /// `ModelContainer.makeStore(ofFrozenSchema:at:)` throws it for such a file too.
  public static let unknownSchema = SwiftDataError(.unknownSchema)

  /// A store does not record the schema that it was written with.
  ///
  /// This release does not throw the error.
  public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

  /// A store failed, because of a full disk, a damaged file, a lock that was not released in time, or the like.
  ///
  /// ``Details/storeFailureReason`` is the reason, ``Details/store`` the name of the store's configuration, and ``Details/sql`` the
  /// statement that failed:
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error.details?.storeFailureReason == .busy {
  ///   // Save again later.
  /// }
  /// ```
  ///
  /// When a save throws this error, nothing was written to that store, and the context keeps its unsaved changes of models
  /// in that store. ``Details/savedStores`` names the stores that were saved before, and
  /// ``Details/persistentIdentifiers`` the models that were being written, as far as they are known. An addition of
  /// OpenSwiftData: Apple's framework throws errors of Core Data instead.
  public static let storeFailure = SwiftDataError(.storeFailure)

  /// A sum of integers is larger than its type can hold.
  ///
  /// The details name the entity and the property. An addition of OpenSwiftData.
  public static let aggregateOverflow = SwiftDataError(.aggregateOverflow)

  /// Transactions after a token were deleted, so the changes since the token are not known any more.
  ///
  /// Discard the token, read the current state of the stores, and continue from the last transaction. Thrown by
  /// ``ModelContext/fetchHistory(_:)`` and ``HistoryObserver``.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)

  /// A store cannot evaluate a request for history transactions.
  ///
  /// This release does not throw the error: the context evaluates such a descriptor in memory.
  public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

  /// There is no document at a URL, or the document has another ``DocumentType`` than the requested one.
  ///
  /// The file was not changed. The message describes the file and its type. An addition of OpenSwiftData, like the other
  /// errors of documents.
  public static let invalidDocument = SwiftDataError(.invalidDocument)

  /// A program with a later version of the schema has written a document.
  ///
  /// The file was not changed. The message names both versions.
  public static let documentVersionTooNew = SwiftDataError(.documentVersionTooNew)

  /// A file or folder exists at the URL to which a document is to be created, copied or moved.
  public static let documentExists = SwiftDataError(.documentExists)

  /// Another process, or another ``PersistentDocument`` of this process, has the document open, and one of the two needs
  /// exclusive access.
  public static let documentInUse = SwiftDataError(.documentInUse)

  /// Another program has moved, replaced or deleted the file of an open document.
  ///
  /// Nothing was written. ``PersistentDocument/save(as:)`` saves the contents of the document to another URL.
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

  /// The same kind of error, with details.
  func with(_ details: Details) -> SwiftDataError {
    SwiftDataError(code, details: details)
  }

  /// The same kind of error, with details.
  package func with(
    entity: String? = nil, property: String? = nil, message: String? = nil, hint: String? = nil, sql: String? = nil,
    underlying: (any Error)? = nil, identifiers: [PersistentIdentifier] = [], issues: [Issue] = []
  ) -> SwiftDataError {
    with(
      Details(
        entity: entity, property: property, message: message, hint: hint, sql: sql, underlyingError: underlying,
        persistentIdentifiers: identifiers, issues: issues))
  }
}
