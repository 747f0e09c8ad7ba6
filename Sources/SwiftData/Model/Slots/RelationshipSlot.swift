/// The storage of a to-one relationship inside its model: the target, or its key while nobody asked for it.
@frozen
public struct _ToOneSlot<Target: PersistentModel, Value> {
  @usableFromInline var target: Target?
  /// The key of a target that is not looked up yet, zero when `target` says it all, or a mark of `_ToOneContent`.
  @usableFromInline var key: Int64

  /// Whether setting the property concerns other models.
  @inlinable public var isRelationship: Bool { true }

  @inlinable
  public init() {
    target = nil
    key = _ToOneContent.unreadMark
  }

  @inlinable
  init(target: Target?) {
    self.target = target
    key = 0
  }

  @inlinable
  init(_ content: _ToOneContent) {
    target = content.target as? Target
    key = content.key
  }

  @inlinable var content: _ToOneContent {
    _ToOneContent(target: target, key: key)
  }

  @inlinable public var isLoaded: Bool {
    target != nil || key == 0
  }

  /// The target, if there is one. An accessor that returns it by itself counts no reference for whoever only wants to
  /// know whether there is one.
  @inlinable public var held: Target? {
    target
  }

  @inlinable @inline(__always)
  public mutating func read(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0, target == nil else { return reread(row, index) }
    // Below are marks, and no keys of rows.
    let key = row.integer(column)
    if let key, key >= 0 { self.key = key } else { readNoKey(row, index, isNumber: key != nil) }
  }

  /// Reads that the row has nothing there; of what cannot be a key the storage learns nothing.
  @usableFromInline
  mutating func readNoKey(_ row: _RowReader, _ index: Int, isNumber: Bool) {
    if isNumber {
      row.reject(index)
    } else if row.isNull(row.columns[index]) {
      target = nil
      key = 0
    }
  }

  /// Reads what may lead to the target that is there already.
  @usableFromInline
  mutating func reread(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else {
      if !row.keepsOthers { self = _ToOneSlot() }
      return
    }
    let key = row.integer(column)
    guard let key, key >= 0 else { return readNoKey(row, index, isNumber: key != nil) }
    // One that went to another context can have come to the same key there.
    if let target, target._$withState({ $0.key == key && (row.graph == nil || $0.graphIdentity == row.graph) }) {
      return
    }
    target = nil
    self.key = key
  }

  public func write(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index) else { return }
    if let target {
      row.reference(target, column)
    } else if key > 0 {
      row.integer(key, column)
    } else if key == 0 {
      row.null(column)
    }
  }
}

extension _ToOneSlot where Value == Target? {
  public init(_ value: Value) {
    self.init(target: value)
    if value != nil { key = _ToOneContent.oneSidedMark }
  }

  @inlinable public var value: Value {
    target
  }
}

extension _ToOneSlot where Value == Target {
  public init(_ value: Value) {
    self.init(target: value)
    key = _ToOneContent.oneSidedMark
  }

  /// A required target that is not there any more is stood in for by a model without a row.
  public var value: Value {
    target ?? .makePlaceholder()
  }
}

/// What the storage of a to-one holds, whatever its type.
@frozen
public struct _ToOneContent {
  @usableFromInline var target: (any PersistentModel)?
  @usableFromInline var key: Int64

  /// The mark for a row that is not read.
  @usableFromInline static var unreadMark: Int64 { .min }
  /// The mark for a target that an initializer set, out of sight of the other side: that learns of it when the model is
  /// registered.
  @usableFromInline static var oneSidedMark: Int64 { -1 }

  @inlinable
  init(target: (any PersistentModel)?, key: Int64 = 0) {
    self.target = target
    self.key = key
  }

  static var unread: _ToOneContent { _ToOneContent(target: nil, key: unreadMark) }

  var isLoaded: Bool {
    target != nil || key == 0
  }

  /// Whether the key is that of a model: of a row, or of one that is not saved and may not be held here.
  var isKey: Bool {
    key > 0 || key < Self.oneSidedMark && key != Self.unreadMark
  }

  /// Whether it leads to a model.
  func leads(to other: any PersistentModel) -> Bool {
    target === other || target == nil && isKey && key == other._$withState { $0.key }
  }

  /// The content with a stand-in's key where it holds the model.
  func loosened(_ standIn: StandIn) -> _ToOneContent {
    guard let target, standIn.standsFor(ObjectIdentifier(target)) else { return self }
    return _ToOneContent(target: nil, key: standIn.key)
  }

  /// The content with the model where its stand-in's key is.
  func tightened(_ standIn: StandIn) -> _ToOneContent {
    guard target == nil, key == standIn.key else { return self }
    return _ToOneContent(target: standIn.represented as? any PersistentModel)
  }
}

/// The storage of a to-many relationship inside its model: the members in order, once somebody asked for them.
@frozen
public struct _ToManySlot<Target: PersistentModel, Value> {
  @usableFromInline var content: _ToManyContent

  @inlinable
  public init() {
    content = _ToManyContent()
  }

  @inlinable
  init(_ content: _ToManyContent) {
    self.content = content
  }

  /// Whether setting the property concerns other models.
  @inlinable public var isRelationship: Bool { true }

  public var isLoaded: Bool {
    content.isLoaded
  }

  /// Nothing: the members are made ready for whoever asks for them, which `value` does.
  @inlinable public var held: Value? {
    nil
  }

  /// The members as what they are: `link` and the accessor take targets only, and what the store gives is accepted by
  /// the class of its row, which the object is of (see `ObjectGraph.receive` and `Acceptance`). A stand-in is
  /// represented by its model.
  @usableFromInline var members: [Target] {
    content.state?.bringMembersClose()
    return unsafeBitCast(content.members ?? [], to: [Target].self)
  }

  @inlinable
  public mutating func read(_ row: _RowReader, _ index: Int) {
    if !row.keepsOthers { self = _ToManySlot() }
  }

  @inlinable
  public func write(_ row: _RowWriter, _ index: Int) {}
}

extension _ToManySlot where Value == [Target] {
  public init(_ value: Value) {
    content = _ToManyContent(oneSided: value)
  }

  public var value: Value {
    members
  }
}

extension _ToManySlot where Value == [Target]? {
  public init(_ value: Value) {
    content = _ToManyContent(oneSided: value ?? [])
  }

  /// An optional to-many is never nil once it is read, as on Apple's systems.
  public var value: Value {
    members
  }
}

/// What the storage of a to-many holds, whatever its type.
@frozen
public struct _ToManyContent {
  @usableFromInline var state: ToManyState?
  /// Whether there are no members; most new models have none, and need no state for that.
  @usableFromInline var isKnownEmpty: Bool

  @inlinable
  init() {
    state = nil
    isKnownEmpty = false
  }

  init(state: ToManyState) {
    self.state = state
    isKnownEmpty = false
  }

  init(members: [AnyObject]) {
    state = members.isEmpty ? nil : ToManyState(members: members)
    isKnownEmpty = members.isEmpty
  }

  init(oneSided members: [AnyObject]) {
    self.init(members: members)
    state?.markOneSided()
  }

  var isLoaded: Bool {
    isKnownEmpty || state?.members != nil
  }

  /// All members in order; nil while the store was not asked.
  var members: [AnyObject]? {
    isKnownEmpty ? [] : state?.members
  }
}

@inlinable
public func _slot<Target: PersistentModel>(of type: Target.Type) -> _ToOneSlot<Target, Target> {
  _ToOneSlot()
}

@inlinable
public func _slot<Target: PersistentModel>(of type: Target?.Type) -> _ToOneSlot<Target, Target?> {
  _ToOneSlot()
}

@inlinable
public func _slot<Target: PersistentModel>(of type: [Target].Type) -> _ToManySlot<Target, [Target]> {
  _ToManySlot()
}

@inlinable
public func _slot<Target: PersistentModel>(of type: [Target]?.Type) -> _ToManySlot<Target, [Target]?> {
  _ToManySlot()
}

@inlinable
public func _slot<Target: PersistentModel>(inferring value: @autoclosure () -> Target) -> _ToOneSlot<Target, Target> {
  _ToOneSlot()
}

@inlinable
public func _slot<Target: PersistentModel>(inferring value: @autoclosure () -> Target?) -> _ToOneSlot<Target, Target?> {
  _ToOneSlot()
}

@inlinable
public func _slot<Target: PersistentModel>(
  inferring value: @autoclosure () -> [Target]
) -> _ToManySlot<Target, [Target]> {
  _ToManySlot()
}

@inlinable
public func _slot<Target: PersistentModel>(
  inferring value: @autoclosure () -> [Target]?
) -> _ToManySlot<Target, [Target]?> {
  _ToManySlot()
}
