import Observation

// What the accessors that `@Model` writes call. They are public because they are called from the user's module.

/// Reads what the property at `index` lacks: its row, its target or its members.
public func _fault<Model: PersistentModel>(_ model: Model, _ index: Int) {
  Faulting.fulfill(model, index)
}

/// The number of persisted properties of a model class and the models that it inherits from.
public func _propertyCount(of type: any PersistentModel.Type) -> Int {
  ModelRuntime.of(type).properties.count
}

public func _willSet<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>, _ index: Int, _ slot: _AttributeSlot<Value>, to value: Value
) -> _AttributeSlot<Value>? {
  guard Mutation.begin(model, index, original: slot) else { return nil }
  if let registrar = model._$withState({ $0.registrar }) { registrar.willSet(model, keyPath: keyPath) }
  return _AttributeSlot(value)
}

public func _didSet<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>, _ index: Int, _ slot: _AttributeSlot<Value>
) {
  if let registrar = model._$withState({ $0.registrar }) { registrar.didSet(model, keyPath: keyPath) }
  Mutation.end(model)
}

public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: KeyPath<Model, Target?>, _ index: Int, _ slot: _ToOneSlot<Target, Target?>,
  to value: Target?
) -> _ToOneSlot<Target, Target?>? {
  RelationshipLinks.willSet(model, keyPath, index, slot, to: value)
}

public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: KeyPath<Model, Target>, _ index: Int, _ slot: _ToOneSlot<Target, Target>, to value: Target
) -> _ToOneSlot<Target, Target>? {
  RelationshipLinks.willSet(model, keyPath, index, slot, to: value)
}

public func _didSet<Model: PersistentModel, Target: PersistentModel, Value>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>, _ index: Int, _ slot: _ToOneSlot<Target, Value>
) {
  if let registrar = model._$withState({ $0.registrar }) { registrar.didSet(model, keyPath: keyPath) }
  if let target = slot.target { RelationshipLinks.register(target, with: model) }
  Mutation.end(model)
}

public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: KeyPath<Model, [Target]>, _ index: Int, _ slot: _ToManySlot<Target, [Target]>,
  to value: [Target]
) -> _ToManySlot<Target, [Target]>? {
  RelationshipLinks.willSet(model, keyPath, index, slot, to: value)
}

public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: KeyPath<Model, [Target]?>, _ index: Int, _ slot: _ToManySlot<Target, [Target]?>,
  to value: [Target]?
) -> _ToManySlot<Target, [Target]?>? {
  RelationshipLinks.willSet(model, keyPath, index, slot, to: value ?? [])
}

public func _didSet<Model: PersistentModel, Target: PersistentModel, Value>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>, _ index: Int, _ slot: _ToManySlot<Target, Value>
) {
  if let registrar = model._$withState({ $0.registrar }) { registrar.didSet(model, keyPath: keyPath) }
  for member in slot.state?.members ?? [] { RelationshipLinks.register(member, with: model) }
  Mutation.end(model)
}

public func _withMutation<Model: PersistentModel, Member, Result>(
  of model: Model, keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
) rethrows -> Result {
  guard let registrar = model._$withState({ $0.registrar }) else { return try mutation() }
  return try registrar.withMutation(of: model, keyPath: keyPath, mutation)
}

/// The value of a `let` property of a model that is made from a row.
public func _constant<Value: Codable>(_ row: _RowReader, _ index: Int) -> Value {
  var slot = _AttributeSlot<Value>()
  slot.readAny(row, index)
  return constant(slot)
}

public func _writeConstant<Value: Codable>(_ value: Value, _ row: _RowWriter, _ index: Int) {
  _AttributeSlot(value).writeAny(row, index)
}

public func _constant<Model: PersistentModel, Value: Codable>(
  _ keyPath: KeyPath<Model, Value>, of backingData: Any
) -> Value {
  if let backingData = backingData as? any BackingData<Model> { return backingData.getValue(forKey: keyPath) }
  return constant(_AttributeSlot<Value>())
}

private func constant<Value>(_ slot: _AttributeSlot<Value>) -> Value {
  if slot.isLoaded { return slot.value }
  guard let placeholder = Placeholder.value(of: Value.self) else {
    preconditionFailure("A model with a constant was made without its row, and \(Value.self) has no value to stand in")
  }
  return placeholder
}

extension _AttributeSlot where Value: Codable {
  /// The dynamic form of `read`, for values whose kind the caller's generic signature hides.
  mutating func readAny(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else { return }
    if let type = Value.self as? any _PrimitiveValue.Type {
      if let value = type._read(row, column) as? Value { stored = .some(value) } else { row.reject(index) }
    } else if let value = DynamicCoding.read(Value.self, row, index, column) {
      stored = .some(value)
    }
  }

  func writeAny(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index), let stored else { return }
    DynamicCoding.write(stored, row, index, column)
  }
}
