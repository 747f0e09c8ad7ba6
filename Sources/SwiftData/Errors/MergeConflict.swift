/// What a context has not saved, and others have saved differently since the context read it.
///
/// ``SwiftDataError/mergeConflict`` lists them as ``SwiftDataError/Details/conflicts``. An addition of OpenSwiftData.
public struct MergeConflict: @unchecked Sendable {
  // Unchecked: a store makes new attribute values for each context, and a value that the program has set is one that it
  // could read from the model as well.

  /// What was done on both sides.
  public enum Kind: Sendable, Hashable {
    /// A property was given different values.
    case changed
    /// The members of a to-many relationship were put in different orders.
    case reordered
    /// The model was deleted by others, and has unsaved changes. It is saved as a new one if the context's side is taken.
    case deletedInStore
    /// The model was changed by others, and is to be deleted.
    case deletedInContext
  }

  /// A side of a conflict, as ``ModelContext/resolve(_:keeping:)`` keeps it.
  public enum Side: Sendable, Hashable {
    /// What the context has and has not saved.
    case context
    /// What others have saved.
    case store
  }

  /// The kind of conflict.
  public let kind: Kind
  /// The model. That of one that was deleted by others is temporary until it is saved again.
  public let persistentIdentifier: PersistentIdentifier
  /// The name of the model's entity.
  public let entity: String
  /// The name of the property; nil when the model as a whole is concerned.
  public let property: String?
  /// What the property had when the context changed it.
  ///
  /// The value of an attribute has the type of the property, that of a to-one relationship is a ``PersistentIdentifier``,
  /// and nil where it leads nowhere, and that of a to-many is an array of these. The same is true of ``storedValue`` and
  /// ``unsavedValue``. All three are nil when the model as a whole is concerned.
  public let originalValue: Any?
  /// What the store has now.
  public let storedValue: Any?
  /// What the context has.
  public let unsavedValue: Any?
}
