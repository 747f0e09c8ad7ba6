final class ToManyProperty<Model: PersistentModel, Target: PersistentModel, Value>:
  ObservedProperty<Model, Value>, ToManyRelationship, @unchecked Sendable
{
  @inline(__always)
  private func storage(in model: any PersistentModel) -> UnsafeMutablePointer<_ToManySlot<Target, Value>> {
    address(in: model).assumingMemoryBound(to: _ToManySlot<Target, Value>.self)
  }

  func get(_ model: any PersistentModel) -> _ToManyContent {
    storage(in: model).pointee.content
  }

  func set(_ model: any PersistentModel, _ content: _ToManyContent) {
    storage(in: model).pointee.content = content
  }

  /// A member as a model.
  func model(_ member: AnyObject) -> any PersistentModel {
    unsafeDowncast(member, to: Target.self)
  }

  override var relationship: (any RelationshipProperty)? { self }
  override var toMany: (any ToManyRelationship)? { self }
  var destinationType: any PersistentModel.Type { Target.self }

  override func slot(of model: any PersistentModel) -> Any {
    get(model)
  }

  override func entry(of model: any PersistentModel) -> JournalEntry {
    .members(Int32(index), MemberChanges())
  }

  override func restore(_ slot: Any, to model: any PersistentModel) {
    guard let content = slot as? _ToManyContent else { return }
    set(model, content)
  }

  override func isLoaded(_ model: any PersistentModel) -> Bool {
    get(model).isLoaded
  }

  override func fillWithDefault(_ model: any PersistentModel) {
    set(model, _ToManyContent(members: []))
  }

  override func isEqual(_ slot: Any, _ other: Any) -> Bool {
    true
  }

  override func value(in backingData: Any) -> Any? {
    guard let backingData = backingData as? any BackingData<Model> else {
      return (backingData as? any InheritingBackingData)?.inheritedValue(forKey: typedKeyPath)
    }
    if let keyPath = keyPath as? KeyPath<Model, [Target]> { return backingData.getValue(forKey: keyPath) }
    return (keyPath as? KeyPath<Model, [Target]?>).flatMap { backingData.getValue(forKey: $0) }
  }

  override func assign(_ value: Any?, to model: any PersistentModel) {
    let members = (value as? [any PersistentModel] ?? []).compactMap { $0 as? Target }
    let model = unsafeDowncast(model, to: Model.self)
    if let keyPath = keyPath as? KeyPath<Model, [Target]> {
      model.write(keyPath, members)
    } else if let keyPath = keyPath as? KeyPath<Model, [Target]?> {
      model.write(keyPath, members)
    }
  }

  func assign(targets: [any PersistentModel], to model: any PersistentModel) {
    assign(targets, to: model)
  }

  override func adopt(_ backingData: Any, by model: any PersistentModel) {
    set(model, _ToManyContent(members: value(in: backingData) as? [Target] ?? []))
  }

  func put(_ content: _ToManyContent, in model: any PersistentModel) {
    set(model, content)
  }

  func forEachLoadedTarget(of model: any PersistentModel, _ body: (any PersistentModel) -> Void) {
    for member in loadedMembers(of: model) { body(self.model(member)) }
  }

  func members(of model: any PersistentModel) -> [AnyObject]? {
    get(model).members
  }

  func loadedTarget(of model: any PersistentModel) -> (any PersistentModel)? {
    loadedMembers(of: model).first.map(self.model)
  }

  /// The members that are in memory: all, or the linked ones while the others are not read.
  private func loadedMembers(of model: any PersistentModel) -> [AnyObject] {
    get(model).members ?? changes(of: model)?.linked ?? []
  }

  /// The pending changes of the members; nil when there are none, or the model is not persistent.
  @inline(__always)
  func changes(of model: any PersistentModel) -> MemberChanges? {
    model._$withState { $0.changes?.members(index) }
  }

  func array(of members: [any PersistentModel]) -> Any {
    members.compactMap { $0 as? Target }
  }

  func accepts(_ type: any PersistentModel.Type) -> Bool {
    type is Target.Type
  }

  func setMemberKeys(_ members: MemberGroup.SectionReference, of model: any PersistentModel) {
    if let state = get(model).state {
      state.memberKeys = members
      return
    }
    let state = ToManyState(members: nil)
    state.memberKeys = members
    set(model, _ToManyContent(state: state))
  }

  func memberKeys(of model: any PersistentModel) -> MemberGroup.SectionReference? {
    get(model).state?.memberKeys.flatMap { $0.group.version.isOutdated ? nil : $0 }
  }

  func discardMemberKeys(of model: any PersistentModel) {
    get(model).state?.memberKeys = nil
  }

  func releaseTargets(of model: any PersistentModel) {
    set(model, _ToManyContent())
  }

  func unload(_ model: any PersistentModel) {
    releaseTargets(of: model)
  }

  func complete(_ model: any PersistentModel) {
    if !isLoaded(model) { set(model, _ToManyContent()) }
  }
}
