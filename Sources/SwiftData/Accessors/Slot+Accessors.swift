// The methods of the slots that the accessors of a property call. Each accessor is one or two calls that are the same for
// all kinds of slots, so that the compiler has little to check and to compile for each property. The paths for an object in
// memory are inlined; the rest is compiled once for each type of value.

extension _AttributeSlot {
  @inlinable @inline(__always)
  public func get(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> Value {
    if !isObserved, let stored { return stored }
    return getLoading(model, index, isObserved)
  }

  // Compiled into the user's module, where the type is known: for an unknown type the runtime looks up the optional's
  // metadata. Not inlined, because the accessors that call it would become too large to be inlined.
  @inlinable @inline(never)
  func getLoading(_ model: any PersistentModel, _ index: Int, _ isObserved: Bool) -> Value {
    if isObserved {
      _observeRead(of: model, index)
      // A `ReadRecorder` may have set it.
      if let stored = stored ?? current(model, index).stored { return stored }
    }
    if let property = _missing(in: model, index) { return _fallback(for: property, in: model) }
    return current(model, index).value
  }

  /// The current content of the storage.
  @inlinable
  func current(_ model: any PersistentModel, _ index: Int) -> Self {
    _slotAddress(in: model, index).assumingMemoryBound(to: Self.self).pointee
  }

  /// - Parameter storage: The address of this slot. An observer may have changed its content before the value is stored.
  @inlinable @inline(never)
  public func set(
    _ storage: UnsafeMutablePointer<Self>, _ value: Value, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    guard isUntracked || _willSet(model, index, original: { self }) else { return }
    storage.pointee = _AttributeSlot(value)
    if !isUntracked { _didSet(model, index) }
  }

  public func beginEdit(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> _Edit<Value> {
    _Edit(get(model, index, isObserved))
  }

  @inlinable
  public func endEdit(
    _ edit: _Edit<Value>, _ storage: UnsafeMutablePointer<Self>, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    set(storage, edit.value, model, index, isUntracked)
  }
}

// MARK: To-ones

extension _ToOneSlot where Value == Target? {
  @inlinable @inline(__always)
  public func get(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> Target? {
    if !isObserved, isLoaded { return target }
    return getLoading(model, index, isObserved)
  }

  @usableFromInline
  func getLoading(_ model: any PersistentModel, _ index: Int, _ isObserved: Bool) -> Target? {
    if isObserved {
      _observeRead(of: model, index)
      let current = current(model, index)
      if current.isLoaded { return current.target }
    }
    guard let fallback = Faulting.access(model, index) else { return current(model, index).target }
    return fallback.target as? Target
  }

  @inlinable
  public func set(
    _ storage: UnsafeMutablePointer<Self>, _ value: Target?, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    if let content = _beginLink(of: model, index, content, to: value) { put(content, storage, model, index) }
  }
}

extension _ToOneSlot where Value == Target {
  @inlinable @inline(__always)
  public func get(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> Target {
    if !isObserved, let target { return target }
    return getLoading(model, index, isObserved)
  }

  @usableFromInline
  func getLoading(_ model: any PersistentModel, _ index: Int, _ isObserved: Bool) -> Target {
    if isObserved {
      _observeRead(of: model, index)
      let current = current(model, index)
      if current.isLoaded { return current.value }
    } else if isLoaded {
      return value
    }
    guard let fallback = Faulting.access(model, index) else { return current(model, index).value }
    return fallback.target as? Target ?? .makePlaceholder()
  }

  @inlinable
  public func set(
    _ storage: UnsafeMutablePointer<Self>, _ value: Target, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    if let content = _beginLink(of: model, index, content, to: value) { put(content, storage, model, index) }
  }
}

extension _ToOneSlot {
  /// The current content of the storage.
  fileprivate func current(_ model: any PersistentModel, _ index: Int) -> Self {
    _slotAddress(in: model, index).assumingMemoryBound(to: Self.self).pointee
  }

  @inlinable
  func put(
    _ content: _ToOneContent, _ storage: UnsafeMutablePointer<Self>, _ model: any PersistentModel, _ index: Int
  ) {
    let slot = _ToOneSlot(content)
    storage.pointee = slot
    if let target = slot.target { _registerLinked(target, with: model) }
    _didSet(model, index)
  }
}

// MARK: To-manys

extension _ToManySlot {
  /// The current content of the storage.
  private func current(_ model: any PersistentModel, _ index: Int) -> Self {
    _slotAddress(in: model, index).assumingMemoryBound(to: Self.self).pointee
  }

  /// The members, which are read if necessary.
  private func members(
    of model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> [Target] {
    if isObserved { _observeRead(of: model, index) }
    if isLoaded { return members }
    if isObserved {
      let current = current(model, index)
      if current.isLoaded { return current.members }
    }
    return Faulting.access(model, index)?.members() ?? current(model, index).members
  }

  @inlinable
  func put(
    _ content: _ToManyContent, _ storage: UnsafeMutablePointer<Self>, _ model: any PersistentModel, _ index: Int
  ) {
    let slot = _ToManySlot(content)
    storage.pointee = slot
    for member in slot.members { _registerLinked(member, with: model) }
    _didSet(model, index)
  }

  /// Applies an edit that only appended.
  ///
  /// - Returns: Whether the change is done; otherwise the caller sets the property.
  fileprivate func append(
    to model: any PersistentModel, _ index: Int, _ loan: MemberLoan?, isRepaid: (MemberLoan) -> Bool, end: () -> Void
  ) -> Bool {
    guard let loan else { return false }
    guard isRepaid(loan) else {
      loan.revoke()
      return false
    }
    end()
    return _append(loan.takeAppended(), to: model, index, content)
  }
}

extension _ToManySlot where Value == [Target] {
  public func get(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> [Target] {
    members(of: model, index, isObserved)
  }

  @inlinable
  public func set(
    _ storage: UnsafeMutablePointer<Self>, _ value: [Target], _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    if _setRun(of: model, index, content, to: value) { return }
    if let content = _beginLink(of: model, index, content, to: value) { put(content, storage, model, index) }
  }

  public func beginEdit(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> _Edit<[Target]> {
    let members = members(of: model, index, isObserved)
    return MemberLoan.edit(members, of: current(model, index).content)
  }

  public func endEdit(
    _ edit: _Edit<[Target]>, _ storage: UnsafeMutablePointer<Self>, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    let isDone = append(to: model, index, edit.takeLoan()) {
      $0.isRepaid(by: edit.value, to: content)
    } end: {
      edit.value = []
    }
    if !isDone { set(storage, edit.value, model, index, isUntracked) }
  }
}

extension _ToManySlot where Value == [Target]? {
  public func get(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> [Target]? {
    members(of: model, index, isObserved)
  }

  @inlinable
  public func set(
    _ storage: UnsafeMutablePointer<Self>, _ value: [Target]?, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    if _setRun(of: model, index, content, to: value ?? []) { return }
    if let content = _beginLink(of: model, index, content, to: value ?? []) { put(content, storage, model, index) }
  }

  public func beginEdit(
    _ model: any PersistentModel, _ index: Int, _ isObserved: Bool
  ) -> _Edit<[Target]?> {
    let members: [Target]? = members(of: model, index, isObserved)
    return MemberLoan.edit(members, of: current(model, index).content)
  }

  public func endEdit(
    _ edit: _Edit<[Target]?>, _ storage: UnsafeMutablePointer<Self>, _ model: any PersistentModel, _ index: Int,
    _ isUntracked: Bool
  ) {
    let isDone = append(to: model, index, edit.takeLoan()) { loan in
      edit.value.map { loan.isRepaid(by: $0, to: content) } ?? false
    } end: {
      edit.value = nil
    }
    if !isDone { set(storage, edit.value, model, index, isUntracked) }
  }
}
