/// The runtime's description of one persisted property of a model class, with access to the property's storage.
///
/// There is one for each property in the process, made from the list that `@Model` writes and from the field metadata of
/// Swift's runtime. It is immutable once its class's ``ModelRuntime`` is made, so threads can share it.
///
/// A caller passes only models of the class that declares the property, or of its subclasses; the subclasses below rely on
/// it. That holds for properties of the model's own runtime, for the inverse of a relationship with the model as a target,
/// and after a check with `ModelRuntime.has`. Check the class of a model from an identity map, because all classes of an
/// inheritance tree share one map.
public class _ModelProperty: @unchecked Sendable {
  let keyPath: AnyKeyPath
  fileprivate(set) var name = ""
  fileprivate(set) var index = 0
  fileprivate(set) var defaultValue: Any?
  /// Whether no placeholder can be made for the type, so that only a value of a stored row can replace a missing one; see
  /// `FallbackValues`.
  fileprivate(set) var needsFallbackValue = false

  /// The offset of the storage in an object of the class; a constant has no storage of its own.
  let offset: Int

  init(keyPath: AnyKeyPath, offset: Int) {
    self.keyPath = keyPath
    self.offset = offset
  }

  /// The address of the storage in a model, valid while the caller retains the model.
  @inline(__always)
  final func address(in model: any PersistentModel) -> UnsafeMutableRawPointer {
    Unmanaged<AnyObject>.passUnretained(model).toOpaque() + offset
  }

  var isConstant: Bool { false }
  /// The property itself, if it is a to-one relationship.
  var toOne: (any ToOneRelationship)? { nil }
  /// The property itself, if it is a to-many relationship.
  var toMany: (any ToManyRelationship)? { nil }
  /// The property itself, if it is a relationship.
  var relationship: (any RelationshipProperty)? { nil }

  func complete(name: String, index: Int, defaultValue: Any?) {
    self.name = name
    self.index = index
    self.defaultValue = defaultValue
    needsFallbackValue = defaultValue == nil && !hasPlaceholder
  }

  var hasPlaceholder: Bool { true }

  /// Whether an initializer left an attribute without a value. The result of a read is not stored then, so that the save
  /// reports the missing value.
  func isUnset(in model: any PersistentModel) -> Bool {
    guard relationship == nil, defaultValue == nil, !isLoaded(model) else { return false }
    return model._$withState { ($0.status == .transient || $0.status == .pending) && $0.key <= 0 }
  }

  /// The storage. For an attribute and a to-one it is a copy, for `restore`; a to-many's is shared with the model.
  func slot(of model: any PersistentModel) -> Any { () }
  /// The journal's entry for a change that is about to happen.
  func entry(of model: any PersistentModel) -> JournalEntry { .attribute(Int32(index), old: slot(of: model)) }
  func restore(_ slot: Any, to model: any PersistentModel) {}
  func isLoaded(_ model: any PersistentModel) -> Bool { true }
  /// Fills empty storage with the default value, or with a placeholder.
  func fillWithDefault(_ model: any PersistentModel) {}
  /// The result of a read when there is no value and the storage has to stay empty: the default, or a placeholder.
  func probeValue(for model: any PersistentModel) -> Any { () }
  /// Example values of the property's type, to probe expressions with; none for relationships.
  var samples: [Any] { [] }
  /// Stores a value of an attribute, without marking a change.
  func put(_ value: Any, in model: any PersistentModel) {}
  /// The value in a backing data of the model's class: the target for a to-one, an array of models for a to-many.
  func value(in backingData: Any) -> Any? { nil }
  /// Sets the property to a result of `value(in:)`, as an assignment would.
  func assign(_ value: Any?, to model: any PersistentModel) {}
  /// Sets an attribute to the value in a copy of its storage, as an assignment would.
  func assign(slot: Any, to model: any PersistentModel) {}
  /// Copies the value from a backing data of the model's class, without marking a change.
  func adopt(_ backingData: Any, by model: any PersistentModel) {}
  /// Notifies observers of the property when the call that changed it ends.
  func recordChange(of model: any PersistentModel) {}
  /// Notifies observers of the property.
  func notifyObservers(of model: any PersistentModel) {}
  func recordRead(of model: any PersistentModel, by observers: ModelObservers) {}
  func recordWillSet(of model: any PersistentModel, by observers: ModelObservers) {}
  func recordDidSet(of model: any PersistentModel, by observers: ModelObservers) {}
  /// The value in a copy of an attribute's storage; nil if it has none, and for other properties.
  func value(inSlot slot: Any) -> Any? { nil }
  /// Whether a copy of the storage has the value of the store.
  func isRead(_ slot: Any) -> Bool { relationship != nil || value(inSlot: slot) != nil }
  /// Whether two copies of the storage have equal values, as far as the type can be compared.
  func isEqual(_ slot: Any, _ other: Any) -> Bool { false }
}
