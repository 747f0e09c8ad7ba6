/// The storage of a to-one relationship inside its model: the target, or its key until the target is read.
@frozen
public struct _ToOneSlot<Target: PersistentModel, Value> {
  @usableFromInline var target: Target?
  /// The key of a target that is not looked up yet, zero when `target` is the value, or a mark of `_ToOneContent`.
  @usableFromInline var key: Int64

  /// Whether the property is a relationship, so that setting it changes other models.
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

  /// The target, if it is in memory. An accessor that returns this property directly does not retain the target for a
  /// caller that only compares it with nil.
  @inlinable public var held: Target? {
    target
  }

  @inlinable @inline(__always)
  public mutating func read(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0, target == nil else { return reread(row, index) }
    // Negative values are marks and temporary keys, which a row cannot have.
    let key = row.integer(column)
    guard let key, key >= 0 else { return readNoKey(row, index, isNumber: key != nil) }
    if self.key >= 0, self.key != key { row.recordRetargeting(of: index, from: self.key) }
    self.key = key
  }

  /// Reads a column without a key: NULL sets the storage to nil, and an invalid key leaves it unchanged and is rejected.
  @usableFromInline
  mutating func readNoKey(_ row: _RowReader, _ index: Int, isNumber: Bool) {
    if isNumber {
      row.reject(index)
    } else if row.isNull(row.columns[index]) {
      recordRetargeting(row, index)
      target = nil
      key = 0
    }
  }

  private func recordRetargeting(_ row: _RowReader, _ index: Int) {
    let previous = target.map { $0._$withState { $0.key } } ?? key
    if previous > 0 { row.recordRetargeting(of: index, from: previous) }
  }

  /// Reads a column when a target is in memory, which may still be the target.
  @usableFromInline
  mutating func reread(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else {
      if !row.keepsOthers { self = _ToOneSlot() }
      return
    }
    let key = row.integer(column)
    guard let key, key >= 0 else { return readNoKey(row, index, isNumber: key != nil) }
    // A target that moved to another context can have the same key there.
    if let target, target._$withState({ $0.key == key && (row.graph == nil || $0.graphIdentity == row.graph) }) {
      return
    }
    recordRetargeting(row, index)
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

  /// The target. If its row is gone, the value is a placeholder: a model without a row.
  public var value: Value {
    target ?? .makePlaceholder()
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
public func _slot<Target: PersistentModel>(inferring value: @autoclosure () -> Target) -> _ToOneSlot<Target, Target> {
  _ToOneSlot()
}

@inlinable
public func _slot<Target: PersistentModel>(inferring value: @autoclosure () -> Target?) -> _ToOneSlot<Target, Target?> {
  _ToOneSlot()
}
