final class ToOneProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, RelationshipProperty, @unchecked Sendable
{
  private let get: (Model) -> _ToOneSlot<Target, Value>
  private let set: (Model, _ToOneSlot<Target, Value>) -> Void

  init(
    _ keyPath: KeyPath<Model, Value>, get: @escaping (Model) -> _ToOneSlot<Target, Value>,
    set: @escaping (Model, _ToOneSlot<Target, Value>) -> Void
  ) {
    self.get = get
    self.set = set
    super.init(keyPath: keyPath)
  }

  var isToMany: Bool { false }
  var isRequired: Bool { Value.self == Target.self }
  var destinationType: any PersistentModel.Type { Target.self }

  private func typed(_ model: any PersistentModel) -> Model {
    unsafeDowncast(model, to: Model.self)
  }

  override func slot(of model: any PersistentModel) -> Any {
    get(typed(model))
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let slot = slot as? _ToOneSlot<Target, Value> else { return }
    set(typed(model), slot)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    get(typed(model)).isLoaded
  }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(typed(model), _ToOneSlot(target: nil))
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    guard let slot = slot as? _ToOneSlot<Target, Value>, let other = other as? _ToOneSlot<Target, Value> else {
      return false
    }
    return Self.key(slot) == Self.key(other)
  }

  private static func key(_ slot: _ToOneSlot<Target, Value>) -> Int64 {
    slot.target.map { $0._$withState { $0.key } } ?? slot.key
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    guard let backingData = backingData as? any BackingData<Model> else { return }
    let target: Target?
    if let keyPath = keyPath as? KeyPath<Model, Target> {
      target = backingData.getValue(forKey: keyPath)
    } else if let keyPath = keyPath as? KeyPath<Model, Target?> {
      target = backingData.getValue(forKey: keyPath)
    } else {
      target = nil
    }
    set(typed(model), _ToOneSlot(target: target))
  }

  func loadedTargets(of model: any PersistentModel) -> [any PersistentModel] {
    get(typed(model)).target.map { [$0] } ?? []
  }

  func targets(of model: any PersistentModel) -> [any PersistentModel] {
    if !isLoaded(model) { Faulting.fulfill(model, index) }
    return loadedTargets(of: model)
  }

  func unresolvedKey(of model: any PersistentModel) -> Int64? {
    let slot = get(typed(model))
    return slot.target == nil && slot.key > 0 ? slot.key : nil
  }

  func fill(_ model: any PersistentModel, with targets: [any PersistentModel]) {
    set(typed(model), _ToOneSlot(target: targets.first as? Target))
  }

  func release(_ model: any PersistentModel) {
    let slot = get(typed(model))
    guard let target = slot.target else { return }
    let key = target._$withState { $0.key }
    set(typed(model), key > 0 ? _ToOneSlot(key: key) : _ToOneSlot(target: nil))
  }

  func unload(_ model: any PersistentModel) {
    set(typed(model), _ToOneSlot())
  }

  func settle(_ model: any PersistentModel) {}

  func linkBack(from model: any PersistentModel) {
    var slot = get(typed(model))
    guard slot.key == _ToOneSlot<Target, Value>.oneSided else { return }
    slot.key = 0
    set(typed(model), slot)
    guard let target = slot.target, let inverse = inverse(for: model) else { return }
    RelationshipLinks.link(model, to: target, inverse, back: self)
  }

  func markOneSided(_ model: any PersistentModel) {
    var slot = get(typed(model))
    guard slot.target != nil else { return }
    slot.key = _ToOneSlot<Target, Value>.oneSided
    set(typed(model), slot)
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    change(owner, to: member)
  }

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    // Only the row tells whether an unread owner leads to the member.
    if get(typed(owner)).key == _ToOneSlot<Target, Value>.unread { Faulting.fulfill(owner, rowOf: index) }
    let slot = get(typed(owner))
    let isTarget = slot.target === member || (slot.target == nil && slot.key == member._$withState { $0.key })
    guard isTarget else { return }
    change(owner, to: nil)
  }

  private func change(_ owner: any PersistentModel, to member: (any PersistentModel)?) {
    let model = typed(owner)
    guard Mutation.begin(model, index, original: get(model)) else { return }
    willSet(owner)
    set(model, _ToOneSlot(target: member as? Target))
    didSet(owner)
    Mutation.end(model)
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    var slot = get(typed(owner))
    guard slot.target === member else { return }
    slot.target = replacement as? Target
    if slot.target == nil { slot.key = 0 }
    set(typed(owner), slot)
  }

  func membership(of model: any PersistentModel, original: Any?) -> MembershipChange {
    MembershipChange()
  }
}
