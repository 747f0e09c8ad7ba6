// Functions that the accessors written by `@Model` call, beside the methods of the slots (`Slot+Accessors`). They are
// public because the calls are in the user's module.

/// Reads the missing content of the property at `index`: its row, its target or its members.
///
/// - Returns: Nil when the storage has the value now; otherwise the property whose fallback value the accessor returns,
///   because the read failed or the storage may not retain the result (the context is released).
@usableFromInline
func _missing(in model: any PersistentModel, _ index: Int) -> _ModelProperty? {
  guard case .nothing(let property)? = Faulting.access(model, index) else { return nil }
  return property
}

@usableFromInline
func _fallback<Value>(for property: _ModelProperty, in model: any PersistentModel) -> Value {
  property.probeValue(for: model) as? Value ?? FallbackValues.value(of: Value.self)
}

extension Faulting.Fallback {
  var target: AnyObject? {
    if case .targets(let targets) = self { targets.first } else { nil }
  }

  func members<Target: PersistentModel>() -> [Target] {
    if case .targets(let targets) = self { targets.compactMap { $0 as? Target } } else { [] }
  }
}

/// The number of persisted properties of a model class and the models that it inherits from.
public func _propertyCount(of type: any PersistentModel.Type) -> Int {
  ModelRuntime.of(type).properties.count
}

/// The address of a property's slot, valid while the caller retains the model.
@usableFromInline
func _slotAddress(in model: any PersistentModel, _ index: Int) -> UnsafeMutableRawPointer {
  ModelRuntime.property(of: model, at: index)._withUnsafeGuaranteedRef { $0.address(in: model) }
}

/// Reports to Observation that the property at `index` is read.
@usableFromInline
func _observeRead(of model: any PersistentModel, _ index: Int) {
  if model._$withState({ $0.graph })?.readsUnobserved == true { return }
  let observers = model._$withState { $0.observersForRead() }
  if let recorder = observers.recorder { return recorder.record(model, index) }
  ModelRuntime.property(of: model, at: index)._withUnsafeGuaranteedRef { $0.recordRead(of: model, by: observers) }
}

/// - Returns: Whether the attribute may change.
@usableFromInline
func _willSet(_ model: any PersistentModel, _ index: Int, original: () -> Any) -> Bool {
  guard Mutation.begin(model, attribute: index, original: original) else { return false }
  guard let observers = model._$withState({ $0.observers }) else { return true }
  let property = ModelRuntime.of(model).properties[index]
  property.recordWillSet(of: model, by: observers)
  // An observer may change anything, for example with a rollback.
  return Mutation.begin(model, index, property.entry(of: model))
}

@usableFromInline
func _didSet(_ model: any PersistentModel, _ index: Int) {
  if let observers = model._$withState({ $0.observers }) {
    ModelRuntime.of(model).properties[index].recordDidSet(of: model, by: observers)
  }
  Mutation.end(model, index)
}

@usableFromInline
func _beginLink(
  of model: any PersistentModel, _ index: Int, _ content: _ToOneContent,
  to target: (any PersistentModel)?
) -> _ToOneContent? {
  let graph = model._$withState { $0.graph } ?? target?._$withState { $0.graph }
  return link(model, index, content, graph) {
    RelationshipLinks.begin(model, index, $0, to: target)
  } finish: {
    RelationshipLinks.finish(model, index, $0)
  }
}

@usableFromInline
func _beginLink(
  of model: any PersistentModel, _ index: Int, _ content: _ToManyContent,
  to members: [any PersistentModel]
) -> _ToManyContent? {
  let graph = model._$withState { $0.graph } ?? members.lazy.compactMap { $0._$withState { $0.graph } }.first
  return link(model, index, content, graph) {
    RelationshipLinks.begin(model, index, $0, to: members)
  } finish: {
    RelationshipLinks.finish(model, index, $0)
  }
}

/// Appends members.
///
/// - Returns: Always true: the change is done or refused.
func _append(
  _ added: [any PersistentModel], to model: any PersistentModel, _ index: Int, _ content: _ToManyContent
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
  if let content = link(model, index, content, graph, begin, finish: finish) {
    finish(content)
    _didSet(model, index)
  }
  return true
}

/// Sets a to-many to other members if these differ by one added or removed run.
///
/// - Returns: Whether the change is done.
@usableFromInline
func _setRun<Target: PersistentModel>(
  of model: any PersistentModel, _ index: Int, _ content: _ToManyContent, to members: [Target]
) -> Bool {
  guard content.state?.isLoaded == true else { return false }
  // Models are objects, whatever the array's type is.
  let objects = unsafeBitCast(members, to: [AnyObject].self)
  func set() -> Bool { RelationshipLinks.setRun(of: model, index, content, to: objects) }
  guard model._$withState({ $0.graph })?.exclusively(set) ?? set() else { return false }
  _didSet(model, index)
  return true
}

/// - Parameters:
///   - begin: Updates the inverses, given the storage's content, and returns the new content; nil when the change is
///     refused.
///   - finish: Writes the new content to the storage.
/// - Returns: The content that the accessor has to store, for a model without a context. Nil when the change is done or
///   refused; then no other code ran between the changes of both sides.
@inline(__always)
private func link<Content>(
  _ model: any PersistentModel, _ index: Int, _ content: Content, _ graph: ObjectGraph?,
  _ begin: (Content) -> Content?, finish: (Content) -> Void
) -> Content? {
  if model._$withState({ $0.observers != nil }) {
    linkObserved(model, index, graph, begin, finish)
    return nil
  }
  guard let graph else { return begin(content) }
  let isChanged = graph.exclusively {
    change(graph.lifetime.isOpen ? content : current(content, model, index), begin, finish)
  }
  if isChanged { _didSet(model, index) }
  return nil
}

/// The storage's content now: entering the graph may have closed it.
private func current<Content>(_ content: Content, _ model: any PersistentModel, _ index: Int) -> Content {
  ModelRuntime.of(model).properties[index].slot(of: model) as? Content ?? content
}

/// - Returns: Whether the change was accepted.
@inline(__always)
private func change<Content>(_ content: Content, _ begin: (Content) -> Content?, _ finish: (Content) -> Void) -> Bool {
  guard let new = begin(content) else { return false }
  finish(new)
  return true
}

private func linkObserved<Content>(
  _ model: any PersistentModel, _ index: Int, _ graph: ObjectGraph?, _ begin: (Content) -> Content?,
  _ finish: (Content) -> Void
) {
  let property = ModelRuntime.of(model).properties[index]
  // Read after the notification, because an observer may change anything. A copy from before would not say which links have
  // no inverse.
  if let observers = model._$withState({ $0.observers }) { property.recordWillSet(of: model, by: observers) }
  func link() -> Bool {
    let content = property.slot(of: model) as? Content
    return content.map { change($0, begin, finish) } ?? false
  }
  if graph?.exclusively(link) ?? link() {
    _didSet(model, index)
  } else if let observers = model._$withState({ $0.observers }) {
    property.recordDidSet(of: model, by: observers)
  }
}

@usableFromInline
func _registerLinked(_ target: any PersistentModel, with model: any PersistentModel) {
  RelationshipLinks.register(target, with: model)
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
  slot.isLoaded ? slot.value : FallbackValues.value(of: Value.self)
}

extension _AttributeSlot where Value: Codable {
  /// The dynamic form of `read`, for types whose conformances are unknown at compile time.
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
