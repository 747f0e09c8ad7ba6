/// The value of a property while a statement changes it in place: what `owner.members.append(member)` works on.
public final class _Edit<Value> {
  // Unchecked, because the accessor that made the edit is the only one that knows it.
  @exclusivity(unchecked) public var value: Value
  /// What the value is lent by; nil for a value of its own.
  var loan: MemberLoan?

  init(_ value: Value) {
    self.value = value
  }
}

// MARK: Accessors

// What `_modify` calls. A value that cannot be lent is a copy that the accessor sets when the statement is done.

public func _beginEdit<Value>(_ slot: some Any, _ value: Value) -> _Edit<Value> {
  _Edit(value)
}

public func _beginEdit<Target: PersistentModel>(
  _ slot: _ToManySlot<Target, [Target]>, _ value: [Target]
) -> _Edit<[Target]> {
  MemberLoan.edit(value, of: slot.content)
}

public func _beginEdit<Target: PersistentModel>(
  _ slot: _ToManySlot<Target, [Target]?>, _ value: [Target]?
) -> _Edit<[Target]?> {
  MemberLoan.edit(value, of: slot.content)
}

/// - Returns: Whether the change is done; otherwise the accessor has to set the value.
public func _endEdit<Model: PersistentModel, Value>(
  _ edit: _Edit<Value>, of model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>, _ index: Int,
  _ slot: some Any
) -> Bool {
  false
}

public func _endEdit<Model: PersistentModel, Target: PersistentModel>(
  _ edit: _Edit<[Target]>, of model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, [Target]>, _ index: Int,
  _ slot: _ToManySlot<Target, [Target]>
) -> Bool {
  guard let loan = edit.takeLoan() else { return false }
  guard loan.isRepaid(by: edit.value, to: slot.content) else {
    loan.revoke()
    return false
  }
  edit.value = []
  return _append(loan.takeBack(), to: model, keyPath, index, slot.content)
}

public func _endEdit<Model: PersistentModel, Target: PersistentModel>(
  _ edit: _Edit<[Target]?>, of model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, [Target]?>, _ index: Int,
  _ slot: _ToManySlot<Target, [Target]?>
) -> Bool {
  guard let loan = edit.takeLoan() else { return false }
  guard edit.value.map({ loan.isRepaid(by: $0, to: slot.content) }) ?? false else {
    loan.revoke()
    return false
  }
  edit.value = nil
  return _append(loan.takeBack(), to: model, keyPath, index, slot.content)
}
