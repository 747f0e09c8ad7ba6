import Observation

/// What each model carries beside its values: whose it is, which row it stands for and what changed.
///
/// It lives inside the model, so that tracking costs no second allocation, and takes the model out of its context's
/// identity map when it goes away, so that the map needs no weak references.
public struct _ModelState: ~Copyable {
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

  unowned(unsafe) var context: ModelContext?
  unowned(unsafe) var binding: EntityBinding?
  unowned(unsafe) var page: IdentityMap.Page?
  /// The key of the row when positive, a temporary one when negative, zero before anybody asked.
  var key: Int64 = 0
  /// The changed properties by index; the last bit stands for all from the 64th on.
  var dirty: UInt64 = 0
  var change: ChangeRecord?
  /// The models that came with this one from the store, whose faults are read together with its own.
  var group: FetchGroup?
  var registrar: ObservationRegistrar?
  var status = Status.plain
  /// Whether the row is not read yet.
  var isFault = false
  /// The position in the context's list of inserted or deleted models.
  var listIndex: Int32 = -1
  /// The store of the row, for a model that left its context; `binding` tells it before.
  private var formerStore: UInt32 = 0

  public init() {}

  init(context: ModelContext, binding: EntityBinding, key: Int64, group: FetchGroup?) {
    self.context = context
    self.binding = binding
    self.key = key
    self.group = group
    status = .registered
  }

  deinit {
    page?.remove(key)
  }

  /// The store that has the row; nil before the first save.
  var store: InternedString? {
    guard key > 0 else { return nil }
    return binding?.store ?? InternedString(number: formerStore)
  }

  /// Takes the model out of its context. It stays known by its identifier.
  mutating func leave(_ status: Status) {
    if let binding { formerStore = binding.store.number }
    page?.remove(key)
    page = nil
    self.status = status
    context = nil
    binding = nil
    change = nil
    group = nil
    dirty = 0
  }

  /// Tells the observation machinery that the property at `keyPath` is read.
  public mutating func access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    if let registrar {
      registrar.access(model, keyPath: keyPath)
    } else {
      let made = ObservationRegistrar()
      registrar = made
      made.access(model, keyPath: keyPath)
    }
  }

  static func bit(_ index: Int) -> UInt64 {
    1 << UInt64(min(index, 63))
  }

  func isDirty(_ index: Int) -> Bool {
    dirty & Self.bit(index) != 0
  }
}
