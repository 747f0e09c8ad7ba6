/// What the runtime knows of one persisted property of a model class, and how it reaches the property's storage.
///
/// There is one for each property in the process, made from the list that `@Model` writes and from what Swift's runtime
/// tells of the class's fields, and never changed once its class's ``ModelRuntime`` is made; that is why it can be
/// shared between threads.
///
/// Whoever hands a model to a property hands one of the class that declares it, or of a class that inherits from that;
/// the subclasses below rely on it. Properties come from the model's own runtime, or are the other side of one that
/// leads to the model, or `ModelRuntime.has` was asked. Whoever has a model from an identity map asks for its class
/// first, because all classes of an inheritance share one map.
public class _ModelProperty: @unchecked Sendable {
  let keyPath: AnyKeyPath
  fileprivate(set) var name = ""
  fileprivate(set) var index = 0
  fileprivate(set) var defaultValue: Any?
  /// Whether nothing can stand in for a value but another one of the same type; see `SampleValues`.
  fileprivate(set) var needsSampleValue = false

  /// How many bytes of each object of the class come before the storage; nothing is stored for a constant.
  let offset: Int

  init(keyPath: AnyKeyPath, offset: Int) {
    self.keyPath = keyPath
    self.offset = offset
  }

  /// Where the storage is in an object, for as long as the caller holds that.
  @inline(__always)
  final func address(in model: any PersistentModel) -> UnsafeMutableRawPointer {
    Unmanaged<AnyObject>.passUnretained(model).toOpaque() + offset
  }

  var isConstant: Bool { false }
  /// The property itself, if it leads to one model at most.
  var toOne: (any ToOneRelationship)? { nil }
  /// The property itself, if it leads to any number of models.
  var toMany: (any ToManyRelationship)? { nil }
  /// The property itself, if it leads to other models.
  var relationship: (any RelationshipProperty)? { nil }

  func complete(name: String, index: Int, defaultValue: Any?) {
    self.name = name
    self.index = index
    self.defaultValue = defaultValue
    needsSampleValue = defaultValue == nil && !hasPlaceholder
  }

  var hasPlaceholder: Bool { true }

  /// Whether an initializer left an attribute without a value. What a read returns is not kept then, so that the save
  /// says what is missing.
  func isUnset(in model: any PersistentModel) -> Bool {
    guard relationship == nil, defaultValue == nil, !isLoaded(model) else { return false }
    return model._$withState { ($0.status == .transient || $0.status == .pending) && $0.key <= 0 }
  }

  /// The storage. That of an attribute and of a to-one is a copy, for putting back with `restore`; that of a to-many is
  /// shared with the model.
  func slot(of model: any PersistentModel) -> Any { () }
  /// The journal's entry for a change that is about to happen.
  func entry(of model: any PersistentModel) -> JournalEntry { .attribute(Int32(index), old: slot(of: model)) }
  func restore(_ slot: Any, to model: any PersistentModel) {}
  func isLoaded(_ model: any PersistentModel) -> Bool { true }
  /// Fills empty storage with the default value, or with a harmless one.
  func fillWithDefault(_ model: any PersistentModel) {}
  /// The value that a read gets when there is none and the storage has to stay empty: the default, or a harmless one.
  func probeValue(for model: any PersistentModel) -> Any { () }
  /// Values that the property may have, for trying what becomes of them; none for relationships.
  var samples: [Any] { [] }
  /// Puts a value of an attribute in place. Nothing counts as changed.
  func put(_ value: Any, in model: any PersistentModel) {}
  /// The value in a backing data of the model's class: the target itself for a to-one, and an array of models for a
  /// to-many.
  func value(in backingData: Any) -> Any? { nil }
  /// Sets the property to what `value(in:)` gave, as an assignment would.
  func assign(_ value: Any?, to model: any PersistentModel) {}
  /// Sets an attribute to what a copy of its storage has, as an assignment would.
  func assign(slot: Any, to model: any PersistentModel) {}
  /// Takes the value from a backing data of the model's class.
  func adopt(_ backingData: Any, by model: any PersistentModel) {}
  /// Has observers of the property told that it has another value, when the call that changed it is over.
  func recordChange(of model: any PersistentModel) {}
  /// Tells observers of the property that it has another value.
  func notifyObservers(of model: any PersistentModel) {}
  func recordRead(of model: any PersistentModel, by observers: ModelObservers) {}
  func recordWillSet(of model: any PersistentModel, by observers: ModelObservers) {}
  func recordDidSet(of model: any PersistentModel, by observers: ModelObservers) {}
  /// Whether a copy of an attribute's storage has a value, and nil for other properties. The value otherwise is unread.
  func value(inSlot slot: Any) -> Any? { nil }
  /// Whether a copy of the storage says what the store has.
  func isRead(_ slot: Any) -> Bool { relationship != nil || value(inSlot: slot) != nil }
  /// Whether two copies of the storage hold equal values, as far as the type can tell.
  func isEqual(_ slot: Any, _ other: Any) -> Bool { false }
}
