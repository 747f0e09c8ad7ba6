/// A conflict of an unsaved change with a change that another context or process has saved.
///
/// ``SwiftDataError/mergeConflict`` lists them as ``SwiftDataError/Details/conflicts``. An addition of OpenSwiftData.
public struct MergeConflict: @unchecked Sendable {
  // Unchecked: a store makes new attribute values for each context, and the program can read a value that it has set from
  // the model as well.

  /// The changes of the two sides.
  public enum Kind: Sendable, Hashable {
    /// Both sides have given a property different values.
    case changed
    /// Both sides have given the members of a to-many relationship different orders.
    case reordered
    /// Others have deleted a model with unsaved changes. It is saved as a new model if the context's side is kept.
    case deletedInStore
    /// Others have changed a model that the context is about to delete.
    case deletedInContext
  }

  /// A side of a conflict, to keep with ``ModelContext/resolve(_:keeping:)``.
  public enum Side: Sendable, Hashable {
    /// The unsaved changes of the context.
    case context
    /// The changes that others have saved.
    case store
  }

  /// The kind of conflict.
  public let kind: Kind
  /// The identifier of the model; temporary for a model that others have deleted, until it is saved again.
  public let persistentIdentifier: PersistentIdentifier
  /// The name of the model's entity.
  public let entity: String
  /// The name of the property; nil for a conflict about the whole model.
  public let property: String?
  /// The value of the property when the context changed it.
  ///
  /// The value of an attribute has the type of the property. The value of a to-one relationship is a
  /// ``PersistentIdentifier`` or nil, and that of a to-many an array of identifiers. The same is true of ``storedValue``
  /// and ``unsavedValue``. All three are nil for a conflict about the whole model.
  public let originalValue: Any?
  /// The value in the store now.
  public let storedValue: Any?
  /// The value in the context.
  public let unsavedValue: Any?
}
