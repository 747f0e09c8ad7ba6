/// The storage of a to-many relationship inside its model: the members in order, once they are read.
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

  /// Whether the property is a relationship, so that setting it changes other models.
  @inlinable public var isRelationship: Bool { true }

  public var isLoaded: Bool {
    content.isLoaded
  }

  /// Always nil: `value` prepares the members for the caller.
  @inlinable public var held: Value? {
    nil
  }

  /// The members as `Target`. The unchecked cast is safe: `link` and the accessor accept targets only, and a stored member
  /// has the class of its row, which `ObjectGraph.receive` and `Acceptance` check.
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
