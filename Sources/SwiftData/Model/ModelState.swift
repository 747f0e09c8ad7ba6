/// What each model carries beside its values: whose it is, which row it stands for and what changed.
///
/// It lives inside the model, so that tracking costs no second allocation, and has the model taken out of its context's
/// identity map when it goes away, so that the map needs no weak references.
public struct _ModelState: ~Copyable {
  @usableFromInline
  enum Status: UInt8 {
    /// Not in a context.
    case transient
    /// In a context, and not in its store yet.
    case pending
    /// In a context and in its store.
    case persistent
    /// Persistent, and to be deleted by the next save.
    case deleted
    /// Its row is deleted, or never was.
    case detached
  }

  // Neither retained nor counted when read in `begin`, which runs for every row: the graph outlives its models as far
  // as they are its own, and has its bindings for as long.
  @usableFromInline var bindingReference: Unmanaged<EntityBinding>?
  // Beside the binding, because each read of a property asks for both. Released by hand, as what the compiler releases
  // takes a detour through the type's metadata: retained where it is made, in `withExtras`, and released in `deinit`.
  @usableFromInline var extrasReference: Unmanaged<ModelExtras>?
  /// What changed since the last save, if anything did; by hand as well.
  @usableFromInline var changesReference: Unmanaged<ObjectChanges>?
  /// The group counts its models itself, which takes no atomic operation for each, and is there while one counts: from
  /// `admit` until `dismiss`.
  @usableFromInline var groupReference: Unmanaged<FetchGroup>?
  /// The key of the row when positive, a temporary one when negative, zero before anybody asked.
  @usableFromInline var key: Int64 = 0
  @usableFromInline var status = Status.transient
  /// Whether the row is not read yet.
  @usableFromInline var isFault = false
  /// Whether the program has a temporary identifier of the model.
  @usableFromInline var isKnownUnsaved = false
  /// The position in the context's list of inserted or deleted models.
  @usableFromInline var listPosition: Int32 = -1
  /// The place in `group`.
  @usableFromInline private(set) var groupPosition: Int32 = -1
  /// In a context, the age of the values; afterwards the number of the store, which `binding` tells before.
  @usableFromInline var ageOrStore: UInt32 = 0

  @inlinable @inline(__always)
  public init() {}

  /// Turns the state of an object that was made just now into that of a model from a store.
  public mutating func begin(_ origin: _ModelOrigin) {
    guard let binding = origin.binding else {
      status = .detached
      return
    }
    bindingReference = binding
    ageOrStore = origin.age
    key = origin.key
    if let reference = origin.group {
      groupPosition = reference._withUnsafeGuaranteedRef { $0.admit(origin.key, at: origin.place) }
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

  /// Whether the model is in a context and stays there with the next save.
  var isLive: Bool {
    status == .pending || status == .persistent
  }

  /// Whether the identity map has the model.
  private var isMapped: Bool {
    status == .persistent || status == .deleted
  }

  /// The models that came with this one from the store, whose faults are read together with its own.
  var group: FetchGroup? {
    groupReference?.takeUnretainedValue()
  }

  /// Makes the model one of those that came together.
  ///
  /// - Parameter place: The place in the group, when the model has one already.
  mutating func join(_ group: FetchGroup, at place: Int32?) {
    groupPosition = group.admit(key, at: place)
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

  /// What changed since the last save, if anything did.
  var changes: ObjectChanges? {
    get { changesReference?.takeUnretainedValue() }
    set {
      let previous = changesReference
      changesReference = newValue.map(Unmanaged.passRetained)
      previous?.release()
    }
  }

  /// Whether nothing is known of the model but its row: neither changes nor what few models have.
  var isBare: Bool {
    extrasReference == nil && changesReference == nil
  }

  /// The properties whose stored values could not be read when the row was, as `dirty` has them.
  var damaged: UInt64 {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.damaged } ?? 0 }
    set { if newValue != damaged { withExtras { $0.damaged = newValue } } }
  }

  /// The properties whose accessors returned something else than the stored value, because that could not be read.
  var misread: UInt64 {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.misread } ?? 0 }
    set { if newValue != misread { withExtras { $0.misread = newValue } } }
  }

  /// Whether the row was looked for and was not there, so that the model has no values to give to another row.
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

  /// The same, without a reference counted: for what is done while somebody holds the model.
  var graphReference: Unmanaged<ObjectGraph>? {
    bindingReference?._withUnsafeGuaranteedRef { $0.graphReference }
  }

  /// Whether the model belongs to `other`. Asking takes no reference, unlike comparing graphs.
  func belongs(to other: ObjectGraph) -> Bool {
    graphIdentity == UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
  }

  /// Whether the model is of an entity. Asking takes no reference.
  func isOf(_ binding: EntityBinding) -> Bool {
    bindingReference?.toOpaque() == Unmanaged.passUnretained(binding).toOpaque()
  }

  /// What tells the graph from every other.
  var graphIdentity: UnsafeRawPointer? {
    graphReference.map { UnsafeRawPointer($0.toOpaque()) }
  }

  /// What the context knows of the entity, for a call during which the context is there.
  func withBinding<Result>(_ body: (EntityBinding) -> Result) -> Result? {
    bindingReference?._withUnsafeGuaranteedRef(body)
  }

  /// Whether the model stands for a row that was never read and cannot be any more: nothing of it may be saved.
  var isHollow: Bool {
    status == .detached && isFault
  }

  /// The state of the store that the model's values are of, as `_RowReader.age` has it.
  var age: UInt32 {
    get { bindingReference == nil ? 0 : ageOrStore }
    set { if bindingReference != nil { ageOrStore = newValue } }
  }

  /// What the model's context knows of its entity; nil without a context.
  var binding: EntityBinding? {
    get { bindingReference?.takeUnretainedValue() }
    set { bindingReference = newValue.map(Unmanaged.passUnretained) }
  }

  /// The store that has the row; nil before the first save.
  var store: InternedString? {
    guard key > 0 else { return nil }
    return binding?.store ?? InternedString(number: ageOrStore)
  }

  /// See `ModelExtras.survivor`.
  var survivor: (any PersistentModel)? {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.survivor } }
    set { if extrasReference != nil || newValue != nil { withExtras { $0.survivor = newValue } } }
  }

  /// The identifier of a model that belongs to no context, where its key does not say enough.
  var lastIdentifier: PersistentIdentifier? {
    get { extrasReference?._withUnsafeGuaranteedRef { $0.lastIdentifier } }
    set { withExtras { $0.lastIdentifier = newValue } }
  }

  /// Takes the model out of its context. It stays known by its identifier.
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

  /// Makes the model a plain object of which its context has never heard.
  mutating func withdraw() {
    status = .transient
    leave(.transient)
  }

  /// Whether nobody has to be told of a change.
  @inlinable public var isUntracked: Bool {
    status == .transient && extrasReference == nil
  }

  /// Whether reads have to be told to the observation machinery: somebody observed the model, or is about to.
  ///
  /// Most models are never observed, and a registrar takes longer to make than their row to read.
  @inlinable public var isObserved: Bool {
    // In line, because a call would be handed all of the state.
    if let extrasReference, extrasReference._withUnsafeGuaranteedRef({ $0.observers != nil }) { return true }
    guard let bindingReference else { return true }
    return bindingReference._withUnsafeGuaranteedRef { $0.isObserving }
  }

  /// Tells the observation machinery that the property at `keyPath` is read.
  public mutating func access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    let observers = observersForRead()
    if let recorder = observers.recorder { return recorder.record(model, keyPath) }
    observers.registrar.access(model, keyPath: keyPath)
  }

  /// The observers, made when there are none yet.
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

  /// Whether a property has an unsaved change, where `isDirty` may mean another one behind it as well.
  func isPending(_ index: Int) -> Bool {
    isDirty(index) && (index < Self.restIndex || changes?.entry(index) != nil)
  }
}

/// Where a model comes from that is not made by its user: a row of a store, or nowhere. It is lent for the call, during
/// which the maker holds the binding and the group.
public struct _ModelOrigin {
  fileprivate let binding: Unmanaged<EntityBinding>?
  fileprivate let group: Unmanaged<FetchGroup>?
  /// The place in `group`, when there is one already.
  fileprivate let place: Int32?
  fileprivate let key: Int64
  fileprivate let isFault: Bool
  fileprivate let age: UInt32

  init(
    binding: EntityBinding, key: Int64, group: FetchGroup?, place: Int32?, isFault: Bool, age: UInt32
  ) {
    self.binding = .passUnretained(binding)
    self.key = key
    self.group = group.map { .passUnretained($0) }
    self.place = place
    self.isFault = isFault
    self.age = age
  }

  /// The origin of a model that stands for no row.
  static var nowhere: _ModelOrigin { _ModelOrigin() }

  private init() {
    binding = nil
    group = nil
    place = nil
    key = 0
    isFault = false
    age = 0
  }
}
