/// What each model carries beside its values: whose it is, which row it stands for and what changed.
///
/// It lives inside the model, so that tracking costs no second allocation, and takes the model out of its context's
/// identity map when it goes away, so that the map needs no weak references.
public struct _ModelState: ~Copyable {
  @usableFromInline
  enum Status: UInt8 {
    /// Not in a context.
    case plain
    /// In a context, and not in its store yet.
    case inserted
    /// In a context and in its store.
    case registered
    /// Registered, and to be deleted by the next save.
    case deleted
    /// Its row is deleted, or never was.
    case gone
  }

  // Neither retained nor counted when read in `begin`, which runs for every row: the context outlives its models as far
  // as they are its own, and has its bindings for as long.
  @usableFromInline var bindingReference: Unmanaged<EntityBinding>?
  // Beside the binding, because each read of a property asks for both.
  @usableFromInline var observers: ModelObservers?
  var page: IdentityMap.Page?
  /// The key of the row when positive, a temporary one when negative, zero before anybody asked.
  var key: Int64 = 0
  /// The changed properties by index; the last bit stands for all from the 64th on.
  var dirty: UInt64 = 0
  var change: ChangeRecord?
  /// The models that came with this one from the store, whose faults are read together with its own.
  var group: FetchGroup?
  @usableFromInline var status = Status.plain
  /// Whether the row is not read yet.
  var isFault = false
  /// The position in the context's list of inserted or deleted models.
  var listIndex: Int32 = -1
  /// The place in `group`.
  var groupPlace: Int32 = -1
  /// In a context, the age of the values; afterwards the number of the store, which `binding` tells before.
  private var ageOrStore: UInt32 = 0

  public init() {}

  /// Makes the state of an object that was made just now that of a model from a store.
  public mutating func begin(_ origin: _ModelOrigin) {
    guard let binding = origin.binding else {
      status = .gone
      return
    }
    bindingReference = binding
    page = origin.page
    ageOrStore = origin.age
    key = origin.key
    if let reference = origin.group {
      groupPlace = origin.place ?? reference._withUnsafeGuaranteedRef { $0.add(origin.key) }
      group = reference.takeUnretainedValue()
    }
    isFault = origin.isFault
    status = .registered
  }

  deinit {
    page?.remove(key)
  }

  /// The context that the model belongs to.
  var context: ModelContext? {
    bindingReference?._withUnsafeGuaranteedRef { $0.context }
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

  /// Takes the model out of its context. It stays known by its identifier.
  mutating func leave(_ status: Status) {
    if let binding { ageOrStore = binding.store.number }
    page?.remove(key)
    page = nil
    self.status = status
    binding = nil
    change = nil
    group = nil
    dirty = 0
  }

  /// Whether nobody has to be told of a change.
  @inlinable public var isUntracked: Bool {
    status == .plain && observers == nil
  }

  /// Whether reads have to be told to the observation machinery: somebody observed the model, or is about to.
  ///
  /// Most models are never observed, and a registrar takes longer to make than their row to read.
  @inlinable public var isObserved: Bool {
    // In line, because a call would be handed all of the state.
    if observers != nil { return true }
    guard let bindingReference else { return true }
    return bindingReference._withUnsafeGuaranteedRef { $0.isObserving }
  }

  /// Tells the observation machinery that the property at `keyPath` is read.
  public mutating func access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    let observers = self.observers ?? ModelObservers()
    self.observers = observers
    if let recorder = observers.recorder { return recorder.note(model, keyPath) }
    observers.registrar.access(model, keyPath: keyPath)
  }

  static func bit(_ index: Int) -> UInt64 {
    1 << UInt64(min(index, 63))
  }

  func isDirty(_ index: Int) -> Bool {
    dirty & Self.bit(index) != 0
  }
}

/// Where a model comes from that is not made by its user: a row of a store, or nowhere. It is lent for the call.
public struct _ModelOrigin {
  fileprivate let binding: Unmanaged<EntityBinding>?
  fileprivate let page: IdentityMap.Page?
  fileprivate let group: Unmanaged<FetchGroup>?
  /// The place in `group`, when there is one already.
  fileprivate let place: Int32?
  fileprivate let key: Int64
  fileprivate let isFault: Bool
  fileprivate let age: UInt32

  init(
    binding: EntityBinding, page: IdentityMap.Page, key: Int64, group: FetchGroup?, place: Int32?, isFault: Bool,
    age: UInt32
  ) {
    self.binding = .passUnretained(binding)
    self.page = page
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
    page = nil
    group = nil
    place = nil
    key = 0
    isFault = false
    age = 0
  }
}
