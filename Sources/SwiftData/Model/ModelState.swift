/// The state that each model has beside its values: its context, its row and its changes.
///
/// It is stored inside the model, so that tracking needs no second allocation. Its `deinit` removes the model from the
/// context's identity map, so that the map needs no weak references.
public struct _ModelState: ~Copyable {
  @usableFromInline
  enum Status: UInt8 {
    /// In no context.
    case transient
    /// Inserted, not saved.
    case pending
    /// In a context, with a row.
    case persistent
    /// With a row that the next save deletes.
    case deleted
    /// Without a context, because its row is deleted or was never found, or because its context is released.
    case detached
  }

  // Unmanaged, because a retain in `begin` would run for each row: the graph outlives the models that belong to it, and
  // retains its bindings.
  @usableFromInline var bindingReference: Unmanaged<EntityBinding>?
  // Next to the binding, because each read of a property checks both. Retained in `withExtras` and released in `deinit` by
  // hand, because a release by the compiler goes through the type's metadata.
  @usableFromInline var extrasReference: Unmanaged<ModelExtras>?
  /// The changes since the last save, if there are any; retained and released by hand as well.
  @usableFromInline var changesReference: Unmanaged<ObjectChanges>?
  /// The group counts its models with a counter of its own, which takes no atomic operation. It is retained while it counts
  /// a model: from `admit` to `dismiss`.
  @usableFromInline var groupReference: Unmanaged<FetchGroup>?
  /// The key of the row if positive, a temporary key if negative, zero until it is needed.
  @usableFromInline var key: Int64 = 0
  @usableFromInline var status = Status.transient
  /// Whether the row is not read yet.
  @usableFromInline var isFault = false
  /// Whether the program has a temporary identifier of the model.
  @usableFromInline var isKnownUnsaved = false
  /// The position in the context's list of inserted or deleted models.
  @usableFromInline var listPosition: Int32 = -1
  /// The position in `group`.
  @usableFromInline private(set) var groupPosition: Int32 = -1
  /// In a context, the age of the values; without a context, the number of the store, which `binding` has otherwise.
  @usableFromInline var ageOrStore: UInt32 = 0

  @inlinable @inline(__always)
  public init() {}

  /// Changes the initial state of an object into that of a model from a store.
  public mutating func begin(_ origin: _ModelOrigin) {
    guard let binding = origin.binding else {
      status = .detached
      return
    }
    bindingReference = binding
    ageOrStore = origin.age
    key = origin.key
    if let reference = origin.group {
      groupPosition = reference._withUnsafeGuaranteedRef { $0.admit(origin.key, at: origin.index) }
      groupReference = reference
    }
    isFault = origin.isFault
    status = .persistent
  }

  deinit {
    extrasReference?.release()
    changesReference?.release()
    guard isMapped, let bindingReference else { return }
    let released = ReleasedModel(
      binding: bindingReference, key: key, group: groupReference, isChanged: changesReference != nil)
    bindingReference._withUnsafeGuaranteedRef {
      $0.graphReference?._withUnsafeGuaranteedRef { $0.release(released) }
    }
  }

  /// Whether the model is in a context, without a pending deletion.
  var isLive: Bool {
    status == .pending || status == .persistent
  }

  /// Whether the identity map has the model.
  private var isMapped: Bool {
    status == .persistent || status == .deleted
  }

  /// The models that the same fetch brought, whose faults are fired together with this one's.
  var group: FetchGroup? {
    groupReference?.takeUnretainedValue()
  }

  /// Adds the model to a group.
  ///
  /// - Parameter index: The position in the group, if the model has one already.
  mutating func join(_ group: FetchGroup, at index: Int32?) {
    groupPosition = group.admit(key, at: index)
    leaveGroup()
    groupReference = .passUnretained(group)
  }

  private mutating func leaveGroup() {
    groupReference?._withUnsafeGuaranteedRef { $0.dismiss() }
    groupReference = nil
  }

  var observers: ModelObservers? {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.observers } }
    set { withExtras { $0.observers = newValue } }
  }

  /// The changes since the last save, if there are any.
  var changes: ObjectChanges? {
    get { changesReference?.takeUnretainedValue() }
    set {
      let previous = changesReference
      changesReference = newValue.map(Unmanaged.passRetained)
      previous?.release()
    }
  }

  /// Whether the model has neither changes nor extras.
  var isBare: Bool {
    extrasReference == nil && changesReference == nil
  }

  /// The properties whose stored values could not be decoded, in the format of `dirty`.
  var damaged: UInt64 {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.damaged } ?? 0 }
    set { if newValue != damaged { withExtras { $0.damaged = newValue } } }
  }

  /// The properties whose accessors returned a fallback value, because the stored value could not be read.
  var misread: UInt64 {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.misread } ?? 0 }
    set { if newValue != misread { withExtras { $0.misread = newValue } } }
  }

  /// Whether the row was read and is gone, so that the model has no values to copy to a new row.
  var isMissing: Bool {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.isMissing } ?? false }
    set { if newValue != isMissing { withExtras { $0.isMissing = newValue } } }
  }

  /// The changed properties by index; the last bit stands for all from the 64th on.
  var dirty: UInt64 {
    changesReference?._withUnsafeGuaranteedRef { $0.dirty } ?? 0
  }

  private mutating func withExtras(_ body: (ModelExtras) -> Void) {
    let reference = extrasReference ?? .passRetained(ModelExtras())
    if extrasReference == nil { extrasReference = reference }
    reference._withUnsafeGuaranteedRef(body)
  }

  /// The graph of the context that the model belongs to.
  var graph: ObjectGraph? {
    bindingReference?._withUnsafeGuaranteedRef { $0.graph }
  }

  /// `graph` without a retain: for use while the caller retains the model.
  var graphReference: Unmanaged<ObjectGraph>? {
    bindingReference?._withUnsafeGuaranteedRef { $0.graphReference }
  }

  /// Whether the model belongs to `other`. Takes no retain, unlike comparing graphs.
  func belongs(to other: ObjectGraph) -> Bool {
    graphIdentity == UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
  }

  /// Whether the model is of an entity. Takes no retain.
  func isOf(_ binding: EntityBinding) -> Bool {
    bindingReference?.toOpaque() == Unmanaged.passUnretained(binding).toOpaque()
  }

  /// The identity of the graph, for comparisons.
  var graphIdentity: UnsafeRawPointer? {
    graphReference.map { UnsafeRawPointer($0.toOpaque()) }
  }

  /// Calls `body` with the context's binding for the entity. The context has to exist during the call.
  func withBinding<Result>(_ body: (EntityBinding) -> Result) -> Result? {
    bindingReference?._withUnsafeGuaranteedRef(body)
  }

  /// Whether the model stands for a row that was never read and cannot be read any more: it may not be saved.
  var isUnreadable: Bool {
    status == .detached && isFault
  }

  /// The store's revision at which the values were read, in the format of `_RowReader.age`.
  var age: UInt32 {
    get { bindingReference == nil ? 0 : ageOrStore }
    set { if bindingReference != nil { ageOrStore = newValue } }
  }

  /// The context's binding for the entity; nil without a context.
  var binding: EntityBinding? {
    get { bindingReference?.takeUnretainedValue() }
    set { bindingReference = newValue.map(Unmanaged.passUnretained) }
  }

  /// The store of the row; nil before the first save.
  var store: InternedString? {
    guard key > 0 else { return nil }
    return binding?.store ?? InternedString(number: ageOrStore)
  }

  /// See `ModelExtras.survivor`.
  var survivor: (any PersistentModel)? {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.survivor } }
    set { if extrasReference != nil || newValue != nil { withExtras { $0.survivor = newValue } } }
  }

  /// The identifier of a model without a context, where its key is not sufficient.
  var lastIdentifier: PersistentIdentifier? {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.lastIdentifier } }
    set { withExtras { $0.lastIdentifier = newValue } }
  }

  /// Detaches the model from its context. It keeps its identifier.
  mutating func leave(_ status: Status) {
    if let binding {
      ageOrStore = binding.store.number
      if key >= RowIdentity.firstText { lastIdentifier = binding.identifier(of: key) }
      if isMapped { binding.map.remove(key) }
    }
    self.status = status
    binding = nil
    changes = nil
    if status == .detached, isMissing { isFault = true }
    leaveGroup()
  }

  /// Makes the model transient, as if it had never been inserted.
  mutating func withdraw() {
    status = .transient
    leave(.transient)
  }

  /// Whether a change needs neither a journal entry nor a notification of observers.
  @inlinable public var isUntracked: Bool {
    status == .transient && extrasReference == nil
  }

  /// Whether reads have to be reported to Observation: the model is observed, or may be observed by the current code.
  ///
  /// Most models are never observed, and making a registrar takes longer than reading a row.
  @inlinable public var isObserved: Bool {
    // Inlined, because a call would pass the whole state.
    if let extrasReference, extrasReference._withUnsafeGuaranteedRef({ $0.observers != nil }) { return true }
    guard let bindingReference else { return true }
    return bindingReference._withUnsafeGuaranteedRef { $0.isObserving }
  }

  /// Reports to Observation that the property at `keyPath` is read.
  public mutating func access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    let observers = observersForRead()
    if let recorder = observers.recorder { return recorder.record(model, keyPath) }
    observers.registrar.access(model, keyPath: keyPath)
  }

  /// The observers, which are made when there are none.
  mutating func observersForRead() -> ModelObservers {
    let observers = self.observers ?? ModelObservers(probe: withBinding { $0.trackedProbe.take() } ?? nil)
    self.observers = observers
    return observers
  }

  /// The first of the properties that share the last bit.
  static let restIndex = 63
  static let restBit = bit(restIndex)

  @inline(__always)
  static func bit(_ index: Int) -> UInt64 {
    1 << UInt64(min(index, restIndex))
  }

  func isDirty(_ index: Int) -> Bool {
    dirty & Self.bit(index) != 0
  }

  /// Whether a property has an unsaved change. `isDirty` may mean another property that shares the last bit.
  func isPending(_ index: Int) -> Bool {
    isDirty(index) && (index < Self.restIndex || changes?.entry(index) != nil)
  }
}

/// Where a model that the library makes comes from: a row of a store, or nowhere. Its references are valid during the call,
/// while the caller retains the binding and the group.
public struct _ModelOrigin {
  fileprivate let binding: Unmanaged<EntityBinding>?
  fileprivate let group: Unmanaged<FetchGroup>?
  /// The position in `group`, if there is one already.
  fileprivate let index: Int32?
  fileprivate let key: Int64
  fileprivate let isFault: Bool
  fileprivate let age: UInt32

  init(
    binding: EntityBinding, key: Int64, group: FetchGroup?, index: Int32?, isFault: Bool, age: UInt32
  ) {
    self.binding = .passUnretained(binding)
    self.key = key
    self.group = group.map { .passUnretained($0) }
    self.index = index
    self.isFault = isFault
    self.age = age
  }

  /// The origin of a model without a row.
  static var nowhere: _ModelOrigin { _ModelOrigin() }

  private init() {
    binding = nil
    group = nil
    index = nil
    key = 0
    isFault = false
    age = 0
  }
}
