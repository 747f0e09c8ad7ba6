final class ToOneProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, ToOneRelationship, @unchecked Sendable
{
  let isRequired = Value.self == Target.self

  @inline(__always)
  private func storage(in model: any PersistentModel) -> UnsafeMutablePointer<_ToOneSlot<Target, Value>> {
    address(in: model).assumingMemoryBound(to: _ToOneSlot<Target, Value>.self)
  }

  func get(_ model: any PersistentModel) -> _ToOneContent {
    storage(in: model).pointee.content
  }

  func set(_ model: any PersistentModel, _ content: _ToOneContent) {
    storage(in: model).pointee = _ToOneSlot(content)
  }

  override var relationship: (any RelationshipProperty)? { self }
  override var toOne: (any ToOneRelationship)? { self }
  var destinationType: any PersistentModel.Type { Target.self }

  override func slot(of model: any PersistentModel) -> Any {
    get(model)
  }

  override func entry(of model: any PersistentModel) -> JournalEntry {
    .target(Int32(index), old: get(model))
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let content = slot as? _ToOneContent else { return }
    set(model, content)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    get(model).isLoaded
  }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(model, _ToOneContent(target: nil))
  }

  override func isRead(_ slot: Any) -> Bool {
    (slot as? _ToOneContent)?.isRead ?? true
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    guard let content = slot as? _ToOneContent, let other = other as? _ToOneContent else { return false }
    return Self.key(content) == Self.key(other)
  }

  private static func key(_ content: _ToOneContent) -> Int64 {
    content.target.map { $0._$withState { $0.key } } ?? content.key
  }

  override func value(in backingData: Any) -> Any? {
    guard let backingData = backingData as? any BackingData<Model> else {
      return (backingData as? any InheritingBackingData)?.inheritedValue(forKey: typedKeyPath)
    }
    if let keyPath = keyPath as? KeyPath<Model, Target> { return backingData.getValue(forKey: keyPath) }
    return (keyPath as? KeyPath<Model, Target?>).flatMap { backingData.getValue(forKey: $0) }
  }

  override func assign(_ value: Any?, to model: any PersistentModel) {
    let model = unsafeDowncast(model, to: Model.self)
    if let keyPath = keyPath as? KeyPath<Model, Target?> {
      model.write(keyPath, value as? Target)
    } else if let keyPath = keyPath as? KeyPath<Model, Target>, let target = value as? Target {
      model.write(keyPath, target)
    }
  }

  func assign(targets: [any PersistentModel], to model: any PersistentModel) {
    assign(targets.first, to: model)
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    set(model, _ToOneContent(target: value(in: backingData) as? Target))
  }

  func put(_ content: _ToOneContent, in model: any PersistentModel) {
    set(model, content)
  }

  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void) {
    if let target = get(model).target { body(target) }
  }

  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)? {
    get(model).target
  }

  func hasTarget(_ target: any PersistentModel, in owner: any PersistentModel) -> Bool {
    loadedTarget(of: owner) === target
  }

  func unreadKey(of model: any PersistentModel) -> Int64? {
    let content = get(model)
    return content.target == nil && content.isKey ? content.key : nil
  }

  func setTarget(of model: any PersistentModel, to target: (any PersistentModel)?) {
    set(model, _ToOneContent(target: target))
  }

  func fill(_ model: any PersistentModel, with targets: [AnyObject]) {
    set(model, _ToOneContent(target: targets.first as? Target))
  }

  func accepts(_ type: any PersistentModel.Type) -> Bool {
    type is Target.Type
  }

  func releaseTargets(of model: any PersistentModel) {
    guard let target = get(model).target else { return }
    let key = target._$withState { $0.key }
    set(model, _ToOneContent(target: nil, key: max(key, 0)))
  }

  func unload(_ model: any PersistentModel) {
    set(model, .unread)
  }
}
