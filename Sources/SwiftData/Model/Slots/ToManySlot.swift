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
  /// the class of its row, which the object is of (see `ObjectGraph.receive` and `Acceptance`).
  @usableFromInline var members: [Target] {
    content.state?.compactMembers()
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

@inlinable
public func _slot<Target: PersistentModel>(of type: [Target].Type) -> _ToManySlot<Target, [Target]> {
  _ToManySlot()
}

@inlinable
public func _slot<Target: PersistentModel>(of type: [Target]?.Type) -> _ToManySlot<Target, [Target]?> {
  _ToManySlot()
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
