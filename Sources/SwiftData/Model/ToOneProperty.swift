final class ToOneProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, RelationshipProperty, @unchecked Sendable
{
  private let get: (any PersistentModel) -> _ToOneContent
  private let set: (any PersistentModel, _ToOneContent) -> Void
  let isRequired = Value.self == Target.self

  init(
    _ keyPath: KeyPath<Model, Value>, get: @escaping (any PersistentModel) -> _ToOneContent,
    set: @escaping (any PersistentModel, _ToOneContent) -> Void
  ) {
    self.get = get
    self.set = set
    super.init(keyPath: keyPath)
  }

  override var relationship: (any RelationshipProperty)? { self }
  var isToMany: Bool { false }
  var destinationType: any PersistentModel.Type { Target.self }

  override func slot(of model: any PersistentModel) -> Any {
    get(model)
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

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    set(model, _ToOneContent(target: value(in: backingData) as? Target))
  }

  func put(_ content: _ToOneContent, in model: any PersistentModel) {
    set(model, content)
  }

  func forEachHeld(by slot: Any, _ body: (any PersistentModel) -> Void) {
    if let target = (slot as? _ToOneContent)?.target { body(target) }
  }

  func count(_ slot: Any, in census: inout Census) {
    if let target = (slot as? _ToOneContent)?.target { census.count(target) }
  }

  func loosening(_ slot: Any, _ standIn: StandIn) -> Any {
    guard let content = slot as? _ToOneContent, let target = content.target,
      standIn.standsFor(ObjectIdentifier(target))
    else { return slot }
    return _ToOneContent(target: nil, key: standIn.key)
  }

  func tightening(_ slot: Any, _ standIn: StandIn) -> Any {
    guard let content = slot as? _ToOneContent, content.target == nil, content.key == standIn.key else { return slot }
    return _ToOneContent(target: standIn.represented as? Target)
  }

  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void) {
    if let target = get(model).target { body(target) }
  }

  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)? {
    get(model).target
  }

  func targets(of model: any PersistentModel) throws -> [any PersistentModel] {
    if !isLoaded(model), let unheld = try Faulting.fulfill(model, self) { return unheld.compactMap { $0 as? Target } }
    return loadedTargets(of: model)
  }

  func unresolvedKey(of model: any PersistentModel) -> Int64? {
    let content = get(model)
    return content.target == nil && content.isKey ? content.key : nil
  }

  func leads(_ slot: Any, to target: any PersistentModel) -> Bool {
    guard let content = slot as? _ToOneContent else { return false }
    return content.target === target
      || content.target == nil && content.isKey && content.key == target._$withState { $0.key }
  }

  func resolve(_ model: any PersistentModel, to target: (any PersistentModel)?) {
    set(model, _ToOneContent(target: target))
  }

  func fill(_ model: any PersistentModel, with targets: [AnyObject]) {
    set(model, _ToOneContent(target: targets.first as? Target))
  }

  func accepts(_ type: any PersistentModel.Type) -> Bool {
    type is Target.Type
  }

  func release(_ model: any PersistentModel) {
    guard let target = get(model).target else { return }
    let key = target._$withState { $0.key }
    set(model, _ToOneContent(target: nil, key: max(key, 0)))
  }

  func unload(_ model: any PersistentModel) {
    set(model, .unread)
  }

  func settle(_ model: any PersistentModel) {}

  func linkBack(from model: any PersistentModel) {
    var content = get(model)
    guard content.key == _ToOneContent.oneSidedMark else { return }
    content.key = 0
    set(model, content)
    guard let target = content.target, let inverse = inverse(for: model) else { return }
    // A target that was not told does not know yet, and whoever sets the property again shall tell it.
    if !RelationshipLinks.link(model, to: target, inverse, back: self) { markOneSided(model) }
  }

  func markOneSided(_ model: any PersistentModel) {
    var content = get(model)
    guard content.target != nil else { return }
    content.key = _ToOneContent.oneSidedMark
    set(model, content)
  }

  func link(_ member: any PersistentModel, to owner: any PersistentModel) {
    change(owner, to: member)
  }

  func prepareToUnlink(from owner: any PersistentModel) throws {
    // Only the row tells whether an unread owner leads to a member.
    guard get(owner).key == _ToOneContent.unreadMark else { return }
    try owner._$withState { $0.graph }?.readRow(of: owner)
    // Others saved something since the row was read. The key that it has when it is read again is that of before the
    // change, and would outlast it.
    guard get(owner).key == _ToOneContent.unreadMark else { return }
    let target = try targets(of: owner).first
    if !isLoaded(owner) { set(owner, _ToOneContent(target: nil, key: target?._$withState { $0.key } ?? 0)) }
  }

  func unlink(_ member: any PersistentModel, from owner: any PersistentModel) {
    let content = get(owner)
    let isTarget = content.target === member || (content.target == nil && content.key == member._$withState { $0.key })
    guard isTarget else { return }
    change(owner, to: nil)
  }

  private func change(_ owner: any PersistentModel, to member: (any PersistentModel)?) {
    guard Mutation.begin(owner, index, isAsked: false, original: get(owner)) else { return }
    if let member { Mutation.willHold(member) }
    set(owner, _ToOneContent(target: member))
    noteChange(of: owner)
    Mutation.endConsequence(owner)
  }

  func replace(_ member: any PersistentModel, by replacement: (any PersistentModel)?, in owner: any PersistentModel) {
    var content = get(owner)
    guard content.target === member else { return }
    if let replacement { Mutation.willHold(replacement) }
    content.target = replacement
    if replacement == nil { content.key = 0 }
    set(owner, content)
  }

  func membership(of model: any PersistentModel, original: Any?) -> MembershipChange {
    MembershipChange()
  }
}
