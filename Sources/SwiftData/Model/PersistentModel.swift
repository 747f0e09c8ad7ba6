public import Observation

/// A class whose instances a ``ModelContext`` can store.
///
/// Attach the macro ``Model()`` to a class to make it conform. A model is an ordinary object until it is inserted into
/// a context. From then on it belongs to the isolation of that context. It is not `Sendable`; send its
/// ``persistentModelID`` instead.
///
/// The macro writes the requirements whose names begin with an underscore. Do not use them in source code.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The topmost model class that the class inherits from; the class itself when it inherits from no model.
  associatedtype Root: PersistentModel = Self

  /// Makes a model with the values of `backingData`.
  init(backingData: any BackingData<Self>)

  /// The model's values, by key path.
  ///
  /// Setting the property copies the values of the new backing data into the model.
  var persistentBackingData: any BackingData<Self> { get set }

  /// One entry for each persisted property that the class itself declares, and for each of its `#Unique` and `#Index`.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  init(_$origin origin: _ModelOrigin, row: borrowing _RowReader)
  /// The address of the state, valid as long as the model: a stored property of a class does not move.
  var _$statePointer: UnsafeMutablePointer<_ModelState> { get }
  func _$load(_ row: _RowReader)
  func _$store(_ row: _RowWriter)
}

extension PersistentModel {
  /// Calls `body` with the state, while the caller retains the model.
  ///
  /// The body must not use the state in another way.
  @inline(__always)
  func _$withState<Result>(_ body: (inout _ModelState) -> Result) -> Result {
    body(&_$statePointer.pointee)
  }

  /// The identifier of the model.
  ///
  /// It is temporary until the model is saved for the first time. Afterwards it is the same in every context of the
  /// store.
  public var persistentModelID: PersistentIdentifier {
    ModelRuntime.of(self).identifier(of: self)
  }

  /// The identifier, for callers that have a model of any type.
  var anyIdentifier: PersistentIdentifier {
    ModelRuntime.of(self).identifier(of: self)
  }

  /// The ``persistentModelID``, unless the class declares an `id` of its own.
  public var id: PersistentIdentifier {
    persistentModelID
  }

  /// Whether the model was inserted, changed or marked for deletion since the last save.
  public var hasChanges: Bool {
    _$withState { state in
      switch state.status {
      case .pending, .deleted: true
      case .persistent: state.changes != nil
      case .transient, .detached: false
      }
    }
  }

  /// Whether the model is marked for deletion. It is false again once the deletion is saved, as on Apple's systems.
  public var isDeleted: Bool {
    _$withState { $0.status == .deleted }
  }

  /// Models are equal when they are the same object or have the same identifier.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs === rhs || lhs.persistentModelID == rhs.persistentModelID
  }

  /// Feeds the identifier to `hasher`.
  ///
  /// The identifier changes when the model is saved for the first time. So a set or a dictionary with unsaved models
  /// should not be used after a save.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentModelID)
  }
}

/// A type that the property of a to-many relationship can have: an array of models, or an optional collection of
/// models.
public protocol RelationshipCollection {
  /// The class of the members.
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.Element
}
