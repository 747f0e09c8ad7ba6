public import Observation

/// An object that a ``ModelContext`` keeps: make one by attaching ``Model()`` to a class.
///
/// A model is a plain object until it is inserted into a context, and belongs to that context's isolation afterwards:
/// it is not `Sendable`. Send its ``persistentModelID`` instead.
///
/// The requirements whose names begin with an underscore are written by `@Model`; they are no interface for source code.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The class at the top of the model's inheritance.
  associatedtype Root: PersistentModel = Self

  /// Makes a model with the values that `backingData` holds.
  init(backingData: any BackingData<Self>)

  /// The model's values, by key path. Setting it copies the values.
  var persistentBackingData: any BackingData<Self> { get set }

  /// One entry for each persisted property that the class itself declares, and for each of its constraints and indexes.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  init(_$origin origin: _ModelOrigin, row: borrowing _RowReader)
  static var _$properties: [_ModelProperty] { get }
  /// Where the state is, as long as the model is: a stored property of a class stays in its place.
  var _$statePointer: UnsafeMutablePointer<_ModelState> { get }
  func _$load(_ row: _RowReader)
  func _$store(_ row: _RowWriter)
}

extension PersistentModel {
  /// Calls `body` with the state, while the caller holds the model.
  ///
  /// Nothing in a body comes back to the state: what it lets go of, such as a record of changes, holds no heirs, so
  /// that the graph does not hear of its end.
  @inline(__always)
  func _$withState<Result>(_ body: (inout _ModelState) -> Result) -> Result {
    body(&_$statePointer.pointee)
  }

  /// The context that the model is registered with: none before it is inserted, and none after its deletion was saved.
  public var modelContext: ModelContext? {
    _$withState { $0.graph }?.context
  }

  /// The model's identity: temporary until it is first saved, and the same for every context of the store afterwards.
  public var persistentModelID: PersistentIdentifier {
    ModelRuntime.of(self).identifier(of: self)
  }

  /// The model's identity, unless the class declares an `id` of its own.
  public var id: PersistentIdentifier {
    persistentModelID
  }

  /// Whether the model is inserted, changed or marked for deletion, and not saved since.
  public var hasChanges: Bool {
    _$withState { state in
      switch state.status {
      case .inserted, .deleted: true
      case .registered: state.change != nil
      case .plain, .gone: false
      }
    }
  }

  /// Whether the model is marked for deletion. It is false again once the deletion is saved, as on Apple's systems.
  public var isDeleted: Bool {
    _$withState { $0.status == .deleted }
  }

  /// Models are equal when they stand for the same row.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs === rhs || lhs.persistentModelID == rhs.persistentModelID
  }

  /// Feeds the identifier to `hasher`. It changes at the first save, so a hashed collection should not outlive one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(persistentModelID)
  }
}

/// A type of a to-many relationship.
public protocol RelationshipCollection {
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.Element
}
