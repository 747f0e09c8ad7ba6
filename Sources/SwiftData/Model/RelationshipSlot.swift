/// The storage of a to-one relationship inside its model: the target, or its key while nobody asked for it.
@frozen
public struct _ToOneSlot<Target: PersistentModel, Value> {
  @usableFromInline var target: Target?
  /// The key of a target that is not looked up yet, zero when `target` says it all, or one of the marks below.
  @usableFromInline var key: Int64

  /// The row is not read.
  @usableFromInline static var unread: Int64 { .min }
  /// An initializer set the target, out of sight of the other side: it learns of it when the model is registered.
  @usableFromInline static var oneSided: Int64 { -1 }

  @inlinable
  public init() {
    target = nil
    key = Self.unread
  }

  @inlinable
  init(target: Target?) {
    self.target = target
    key = 0
  }

  init(key: Int64) {
    target = nil
    self.key = key
  }

  @inlinable public var isLoaded: Bool {
    target != nil || key == 0
  }

  public mutating func read(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else { return }
    let key = row.integer(column)
    if let target, target._$withState({ $0.key == key }) { return }
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
    if value != nil { key = Self.oneSided }
  }

  @inlinable public var value: Value {
    target
  }
}

extension _ToOneSlot where Value == Target {
  public init(_ value: Value) {
    self.init(target: value)
    key = Self.oneSided
  }

  /// A required target that is not there any more is stood in for by a model without a row.
  public var value: Value {
    target ?? .makePlaceholder()
  }
}

/// The storage of a to-many relationship inside its model: the members in order, once somebody asked for them.
@frozen
public struct _ToManySlot<Target: PersistentModel, Value> {
  @usableFromInline var state: ToManyState<Target>?
  /// Whether there are no members; most new models have none, and need no state for that.
  @usableFromInline var isKnownEmpty: Bool

  @inlinable
  public init() {
    state = nil
    isKnownEmpty = false
  }

  init(members: [Target]) {
    state = members.isEmpty ? nil : ToManyState(members: members)
    isKnownEmpty = members.isEmpty
  }

  public var isLoaded: Bool {
    isKnownEmpty || state?.members != nil
  }

  @inlinable
  public func read(_ row: _RowReader, _ index: Int) {}

  @inlinable
  public func write(_ row: _RowWriter, _ index: Int) {}
}

extension _ToManySlot where Value == [Target] {
  public init(_ value: Value) {
    self.init(members: value)
    state?.markOneSided()
  }

  public var value: Value {
    state?.members ?? []
  }
}

extension _ToManySlot where Value == [Target]? {
  public init(_ value: Value) {
    self.init(members: value ?? [])
    state?.markOneSided()
  }

  /// An optional to-many is never nil once it is read, as on Apple's systems.
  public var value: Value {
    state?.members ?? []
  }
}

@usableFromInline
final class ToManyState<Target: PersistentModel> {
  /// All members in order; nil while the store was not asked.
  var members: [Target]?
  /// What was added and removed while `members` is nil.
  var added: [Target] = []
  var removed: [Target] = []
  /// Members that do not know of their owner: an initializer set them, out of sight of the other side.
  var oneSided: Set<ObjectIdentifier> = []

  init(members: [Target]?) {
    self.members = members
  }

  func markOneSided() {
    oneSided = Set((members ?? []).map(ObjectIdentifier.init))
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
