/// What the runtime knows of one persisted property of a model class, and how it reaches the property's storage.
///
/// There is one for each property in the process, made from the list that `@Model` writes and never changed once
/// its class's ``ModelRuntime`` is made; that is why it can be shared between threads.
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
  /// Whether nothing can stand in for a value but another one of the same type; see `Specimens`.
  fileprivate(set) var needsSpecimen = false

  init(keyPath: AnyKeyPath) {
    self.keyPath = keyPath
  }

  var isConstant: Bool { false }
  /// The property itself, if it leads to other models.
  var relationship: (any RelationshipProperty)? { nil }

  func complete(name: String, index: Int, defaultValue: Any?) {
    self.name = name
    self.index = index
    self.defaultValue = defaultValue
    needsSpecimen = defaultValue == nil && !hasPlaceholder
  }

  var hasPlaceholder: Bool { true }

  /// Whether an initializer left an attribute without a value. What a read returns is not kept then, so that the save
  /// says what is missing.
  func isUnset(in model: any PersistentModel) -> Bool {
    guard relationship == nil, defaultValue == nil, !isLoaded(model) else { return false }
    return model._$withState { ($0.status == .plain || $0.status == .inserted) && $0.key <= 0 }
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
  func standIn(for model: any PersistentModel) -> Any { () }
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
  func noteChange(of model: any PersistentModel) {}
  /// Tells observers of the property that it has another value.
  func tellObservers(of model: any PersistentModel) {}
  /// Whether a copy of an attribute's storage has a value, and nil for other properties. The value otherwise is unread.
  func value(inSlot slot: Any) -> Any? { nil }
  /// Whether a copy of the storage says what the store has.
  func isRead(_ slot: Any) -> Bool { relationship != nil || value(inSlot: slot) != nil }
  /// Whether two copies of the storage hold equal values, as far as the type can tell.
  func isEqual(_ slot: Any, _ other: Any) -> Bool { false }
}

public func _constantProperty<Model: PersistentModel, Value>(_ keyPath: KeyPath<Model, Value>) -> _ModelProperty {
  ConstantProperty<Model, Value>(keyPath: keyPath)
}

// The functions below are compiled into the user's module, for its types, so that what they hand on knows no types and
// costs none of the runtime's look-ups. Models are of the class that `_ModelProperty` says, and members of a to-many
// are what `_ToManySlot.members` says.

@inlinable
public func _property<Model: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ get: @escaping (Model) -> _AttributeSlot<Value>,
  _ set: @escaping (Model, _AttributeSlot<Value>) -> Void
) -> _ModelProperty {
  _attributeProperty(keyPath, get, set) { get(unsafeDowncast($0, to: Model.self)).isLoaded }
}

@inlinable
public func _transformableProperty<Model: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ get: @escaping (Model) -> _AttributeSlot<Value>,
  _ set: @escaping (Model, _AttributeSlot<Value>) -> Void
) -> _ModelProperty {
  _property(keyPath, get, set)
}

@inlinable
public func _property<Model: PersistentModel, Target: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ get: @escaping (Model) -> _ToOneSlot<Target, Value>,
  _ set: @escaping (Model, _ToOneSlot<Target, Value>) -> Void
) -> _ModelProperty {
  _toOneProperty(
    keyPath, Target.self, { get(unsafeDowncast($0, to: Model.self)).content },
    { set(unsafeDowncast($0, to: Model.self), _ToOneSlot($1)) })
}

@inlinable
public func _property<Model: PersistentModel, Target: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ get: @escaping (Model) -> _ToManySlot<Target, Value>,
  _ set: @escaping (Model, _ToManySlot<Target, Value>) -> Void
) -> _ModelProperty {
  _toManyProperty(
    keyPath, Target.self, { get(unsafeDowncast($0, to: Model.self)).content },
    { set(unsafeDowncast($0, to: Model.self), _ToManySlot($1)) }, { unsafeDowncast($0, to: Target.self) })
}

public func _attributeProperty<Model: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ get: @escaping (Model) -> _AttributeSlot<Value>,
  _ set: @escaping (Model, _AttributeSlot<Value>) -> Void, _ hasValue: @escaping (any PersistentModel) -> Bool
) -> _ModelProperty {
  AttributeProperty(keyPath, get: get, set: set, hasValue: hasValue)
}

public func _toOneProperty<Model: PersistentModel, Target: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ destination: Target.Type, _ get: @escaping (any PersistentModel) -> _ToOneContent,
  _ set: @escaping (any PersistentModel, _ToOneContent) -> Void
) -> _ModelProperty {
  ToOneProperty<Model, Target, Value>(keyPath, get: get, set: set)
}

public func _toManyProperty<Model: PersistentModel, Target: PersistentModel, Value>(
  _ keyPath: KeyPath<Model, Value>, _ destination: Target.Type,
  _ get: @escaping (any PersistentModel) -> _ToManyContent,
  _ set: @escaping (any PersistentModel, _ToManyContent) -> Void, _ model: @escaping (AnyObject) -> any PersistentModel
) -> _ModelProperty {
  ToManyProperty<Model, Target, Value>(keyPath, get: get, set: set, model: model)
}
