import Observation

// What the accessors that `@Model` writes call. They are public because they are called from the user's module.

// Each of these reads what the property at `index` lacks: its row, its target or its members. Afterwards `value` reads the
// storage, and is the result. When the read failed, or the storage may not hold what was read (an heir), the result is
// that of `Faulting.access` instead, and `value` is not called.

// Compiled into the user's module, where the type is known: for an unknown type the runtime has to look up its
// optional. Not inlined itself, because the accessors that call it would be too large to be inlined then.
@inlinable @inline(never)
public func _fault<Model: PersistentModel, Value>(
  _ model: Model, _ index: Int, _ value: @autoclosure () -> Value
) -> Value {
  guard let property = _missing(in: model, index) else { return value() }
  return _substitute(for: property, in: model)
}

/// Reads an attribute.
///
/// - Returns: The property when that failed.
@usableFromInline
func _missing(in model: any PersistentModel, _ index: Int) -> _ModelProperty? {
  guard case .nothing(let property)? = Faulting.access(model, index) else { return nil }
  return property
}

@usableFromInline
func _substitute<Value>(for property: _ModelProperty, in model: any PersistentModel) -> Value {
  property.standIn(for: model) as? Value ?? Specimens.placeholder(of: Value.self)
}

public func _fault<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ index: Int, _ value: @autoclosure () -> Target?
) -> Target? {
  guard let substitute = Faulting.access(model, index) else { return value() }
  return substitute.target as? Target
}

public func _fault<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ index: Int, _ value: @autoclosure () -> Target
) -> Target {
  guard let substitute = Faulting.access(model, index) else { return value() }
  return substitute.target as? Target ?? .makePlaceholder()
}

public func _fault<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ index: Int, _ value: @autoclosure () -> [Target]
) -> [Target] {
  Faulting.access(model, index)?.members() ?? value()
}

public func _fault<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ index: Int, _ value: @autoclosure () -> [Target]?
) -> [Target]? {
  Faulting.access(model, index)?.members() ?? value()
}

extension Faulting.Substitute {
  fileprivate var target: AnyObject? {
    if case .targets(let targets) = self { targets.first } else { nil }
  }

  fileprivate func members<Target: PersistentModel>() -> [Target] {
    if case .targets(let targets) = self { targets.compactMap { $0 as? Target } } else { [] }
  }
}

/// The number of persisted properties of a model class and the models that it inherits from.
public func _propertyCount(of type: any PersistentModel.Type) -> Int {
  ModelRuntime.of(type).properties.count
}

@inlinable
public func _willSet<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>, _ index: Int, _ slot: _AttributeSlot<Value>,
  to value: Value
) -> _AttributeSlot<Value>? {
  guard _beginMutation(of: model, index, original: { slot }), _notifyWillSet(model, keyPath, index) else { return nil }
  return _AttributeSlot(value)
}

@inlinable
public func _didSet<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>, _ index: Int, _ slot: _AttributeSlot<Value>
) {
  _endMutation(of: model, keyPath)
}

@inlinable
public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Target?>, _ index: Int,
  _ slot: _ToOneSlot<Target, Target?>,
  to value: Target?
) -> _ToOneSlot<Target, Target?>? {
  guard let content = _beginLink(of: model, keyPath, index, slot.content, to: value) else { return nil }
  return _ToOneSlot(content)
}

@inlinable
public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Target>, _ index: Int,
  _ slot: _ToOneSlot<Target, Target>, to value: Target
) -> _ToOneSlot<Target, Target>? {
  guard let content = _beginLink(of: model, keyPath, index, slot.content, to: value) else { return nil }
  return _ToOneSlot(content)
}

@inlinable
public func _didSet<Model: PersistentModel, Target: PersistentModel, Value>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>, _ index: Int, _ slot: _ToOneSlot<Target, Value>
) {
  if let target = slot.target { _registerLinked(target, with: model) }
  _endMutation(of: model, keyPath)
}

@inlinable
public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, [Target]>, _ index: Int,
  _ slot: _ToManySlot<Target, [Target]>,
  to value: [Target]
) -> _ToManySlot<Target, [Target]>? {
  guard let content = _beginLink(of: model, keyPath, index, slot.content, to: value) else { return nil }
  return _ToManySlot(content)
}

@inlinable
public func _willSet<Model: PersistentModel, Target: PersistentModel>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, [Target]?>, _ index: Int,
  _ slot: _ToManySlot<Target, [Target]?>,
  to value: [Target]?
) -> _ToManySlot<Target, [Target]?>? {
  guard let content = _beginLink(of: model, keyPath, index, slot.content, to: value ?? []) else { return nil }
  return _ToManySlot(content)
}

@inlinable
public func _didSet<Model: PersistentModel, Target: PersistentModel, Value>(
  _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>, _ index: Int, _ slot: _ToManySlot<Target, Value>
) {
  for member in slot.members { _registerLinked(member, with: model) }
  _endMutation(of: model, keyPath)
}

public func _beginMutation(of model: any PersistentModel, _ index: Int, original: () -> Any) -> Bool {
  Mutation.begin(model, attribute: index, original: original)
}

public func _beginLink<Model: PersistentModel, Value>(
  of model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int, _ content: _ToOneContent,
  to target: (any PersistentModel)?
) -> _ToOneContent? {
  let graph = model._$withState { $0.graph } ?? target?._$withState { $0.graph }
  return link(model, keyPath, index, content, graph) {
    RelationshipLinks.begin(model, index, $0, to: target)
  } finish: {
    RelationshipLinks.finish(model, index, $0)
  }
}

public func _beginLink<Model: PersistentModel, Value>(
  of model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int, _ content: _ToManyContent,
  to members: [any PersistentModel]
) -> _ToManyContent? {
  let graph = model._$withState { $0.graph } ?? members.lazy.compactMap { $0._$withState { $0.graph } }.first
  return link(model, keyPath, index, content, graph) {
    RelationshipLinks.begin(model, index, $0, to: members)
  } finish: {
    RelationshipLinks.finish(model, index, $0)
  }
}

/// Adds members at the end of those that there are.
///
/// - Returns: True; the change is done or refused.
func _append<Model: PersistentModel, Value>(
  _ added: [any PersistentModel], to model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int,
  _ content: _ToManyContent
) -> Bool {
  let graph = model._$withState { $0.graph } ?? added.lazy.compactMap { $0._$withState { $0.graph } }.first
  var isAppended = false
  func begin(_ content: _ToManyContent) -> _ToManyContent? {
    isAppended = RelationshipLinks.append(added, to: model, index, content)
    return isAppended ? content : RelationshipLinks.begin(model, index, content, appending: added)
  }
  func finish(_ content: _ToManyContent) {
    guard isAppended else { return RelationshipLinks.finish(model, index, content) }
    for member in added { RelationshipLinks.register(member, with: model) }
  }
  if let content = link(model, keyPath, index, content, graph, begin, finish: finish) {
    finish(content)
    _endMutation(of: model, keyPath)
  }
  return true
}

/// - Parameters:
///   - begin: Links the other sides, given what the storage holds, and returns what it has to hold; nil when the change is
///     refused.
///   - finish: Puts that into the storage.
/// - Returns: What the accessor has to put into the storage of a model that belongs to no context. Nil when the change is
///   refused, or done: nobody comes in between the two sides.
@inline(__always)
private func link<Model: PersistentModel, Value, Content>(
  _ model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int, _ content: Content, _ graph: ObjectGraph?,
  _ begin: (Content) -> Content?, finish: (Content) -> Void
) -> Content? {
  if model._$withState({ $0.observers != nil }) {
    linkObserved(model, keyPath, index, graph, begin, finish)
    return nil
  }
  guard let graph else { return begin(content) }
  if graph.alone(isSettling: false, { change(content, begin, finish) }) {
    _endMutation(of: model, keyPath)
  } else {
    graph.alone {}
  }
  return nil
}

/// - Returns: Whether the change was not refused.
@inline(__always)
private func change<Content>(_ content: Content, _ begin: (Content) -> Content?, _ finish: (Content) -> Void) -> Bool {
  guard let new = begin(content) else { return false }
  finish(new)
  return true
}

private func linkObserved<Model: PersistentModel, Value, Content>(
  _ model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int, _ graph: ObjectGraph?,
  _ begin: (Content) -> Content?,
  _ finish: (Content) -> Void
) {
  // Observers may do anything, so what the storage holds is asked for after they heard. A copy would not say which links
  // the other side does not know of.
  model._$withState { $0.observers }?.registrar.willSet(model, keyPath: keyPath())
  func link() -> Bool {
    let content = ModelRuntime.of(model).properties[index].slot(of: model) as? Content
    return content.map { change($0, begin, finish) } ?? false
  }
  if graph?.alone(isSettling: false, link) ?? link() {
    _endMutation(of: model, keyPath)
  } else {
    model._$withState { $0.observers }?.registrar.didSet(model, keyPath: keyPath())
    graph?.alone {}
  }
}

public func _registerLinked(_ target: any PersistentModel, with model: any PersistentModel) {
  RelationshipLinks.register(target, with: model)
}

/// - Returns: Whether the change may still happen: observers may do anything, a rollback among others.
public func _notifyWillSet<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: () -> KeyPath<Model, Value>, _ index: Int
) -> Bool {
  guard let observers = model._$withState({ $0.observers }) else { return true }
  observers.registrar.willSet(model, keyPath: keyPath())
  return Mutation.begin(model, index, ModelRuntime.of(model).properties[index].entry(of: model))
}

public func _endMutation<Model: PersistentModel, Value>(of model: Model, _ keyPath: () -> KeyPath<Model, Value>) {
  if let observers = model._$withState({ $0.observers }) { observers.registrar.didSet(model, keyPath: keyPath()) }
  Mutation.end(model)
}

public func _withMutation<Model: PersistentModel, Member, Result>(
  of model: Model, keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
) rethrows -> Result {
  guard let observers = model._$withState({ $0.observers }) else { return try mutation() }
  return try observers.registrar.withMutation(of: model, keyPath: keyPath, mutation)
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
  slot.isLoaded ? slot.value : Specimens.placeholder(of: Value.self)
}

extension _AttributeSlot where Value: Codable {
  /// The dynamic form of `read`, for values whose kind the caller's generic signature hides.
  mutating func readAny(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else { return skip(row) }
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
