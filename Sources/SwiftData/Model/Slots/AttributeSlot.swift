/// The storage of one attribute inside its model: empty until the row is read.
@frozen
public struct _AttributeSlot<Value> {
  @usableFromInline var stored: Value?

  @inlinable
  public init() {
    stored = nil
  }

  @inlinable
  public init(_ value: Value) {
    stored = .some(value)
  }

  /// Whether the property is a relationship, so that setting it changes other models.
  @inlinable public var isRelationship: Bool { false }

  @inlinable public var isLoaded: Bool {
    stored != nil
  }

  /// The value, if there is one. Accessors check it first.
  @inlinable public var held: Value? {
    stored
  }

  @inlinable public var value: Value {
    guard let stored else {
      // `_fault` fills the slot or gives the accessor something else to return, and `constant` asks `isLoaded`.
      preconditionFailure("An accessor fills its slot before it reads it, with a placeholder at worst")
    }
    return stored
  }

  /// Stores a value that was read.
  @inlinable @inline(__always)
  mutating func take(_ value: Value) {
    if _isPOD(Value.self) || stored != nil {
      stored = .some(value)
    } else {
      // There is no old value to release, which an assignment would check for.
      withUnsafeMutablePointer(to: &stored) { $0.initialize(to: value) }
    }
  }

  /// Updates the storage for a row without the property's column.
  @inlinable @inline(__always)
  mutating func skip(_ row: _RowReader) {
    if !row.keepsOthers { stored = nil }
  }
}

extension _AttributeSlot where Value: _PrimitiveValue {
  // Inlined, because each row of a fetch is read here.
  @inlinable @inline(__always)
  public mutating func read(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    if column < 0 {
      skip(row)
    } else if let value = Value._read(row, column) {
      take(value)
    } else {
      row.reject(index)
    }
  }

  @inlinable
  public func write(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index), let stored else { return }
    stored._write(row, column)
  }
}

extension _AttributeSlot {
  @inlinable @inline(__always)
  public mutating func read<Wrapped: _PrimitiveValue>(_ row: _RowReader, _ index: Int) where Value == Wrapped? {
    let column = row.columns[index]
    if column < 0 {
      skip(row)
    } else if let value = Wrapped._read(row, column) {
      take(value)
    } else if row.isNull(column) {
      take(nil)
    } else {
      row.reject(index)
    }
  }

  @inlinable
  public func write<Wrapped: _PrimitiveValue>(_ row: _RowWriter, _ index: Int) where Value == Wrapped? {
    guard let column = row.column(index), let stored else { return }
    if let value = stored {
      value._write(row, column)
    } else {
      row.null(column)
    }
  }
}

extension _AttributeSlot where Value: RawRepresentable, Value.RawValue: _PrimitiveValue {
  @inlinable @inline(never)
  public mutating func read(_ row: _RowReader, _ index: Int) {
    let column = row.columns[index]
    guard column >= 0 else { return skip(row) }
    if let rawValue = Value.RawValue._read(row, column), let value = Value(rawValue: rawValue) {
      stored = .some(value)
    } else {
      row.reject(index)
    }
  }

  @inlinable
  public func write(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index), let stored else { return }
    stored.rawValue._write(row, column)
  }
}

extension _AttributeSlot {
  @inlinable @inline(never)
  public mutating func read<Wrapped: RawRepresentable>(_ row: _RowReader, _ index: Int)
  where Value == Wrapped?, Wrapped.RawValue: _PrimitiveValue {
    let column = row.columns[index]
    guard column >= 0 else { return skip(row) }
    if let rawValue = Wrapped.RawValue._read(row, column), let value = Wrapped(rawValue: rawValue) {
      stored = .some(.some(value))
    } else if row.isNull(column) {
      stored = .some(nil)
    } else {
      row.reject(index)
    }
  }

  @inlinable
  public func write<Wrapped: RawRepresentable>(_ row: _RowWriter, _ index: Int)
  where Value == Wrapped?, Wrapped.RawValue: _PrimitiveValue {
    guard let column = row.column(index), let stored else { return }
    if let value = stored {
      value.rawValue._write(row, column)
    } else {
      row.null(column)
    }
  }
}

extension _AttributeSlot where Value: Codable {
  @_disfavoredOverload
  public mutating func read(_ row: _RowReader, _ index: Int) {
    guard row.columns[index] >= 0 else { return skip(row) }
    if let value = row.codable(Value.self, index) {
      stored = .some(value)
    }
  }

  @_disfavoredOverload
  public func write(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index), let stored else { return }
    row.codable(stored, index, column)
  }
}

extension _AttributeSlot {
  public mutating func readTransformable(_ row: _RowReader, _ index: Int) {
    guard row.columns[index] >= 0 else { return skip(row) }
    if let value = row.transformable(Value.self, index) {
      stored = .some(value)
    }
  }

  public func writeTransformable(_ row: _RowWriter, _ index: Int) {
    guard let column = row.column(index), let stored else { return }
    row.transformable(stored, index, column)
  }
}

/// The storage for a property of the given type.
@inlinable @_disfavoredOverload
public func _slot<Value: Codable>(of type: Value.Type) -> _AttributeSlot<Value> {
  _AttributeSlot()
}

/// The storage for a property whose type is that of an expression. The expression is not evaluated.
@inlinable @_disfavoredOverload
public func _slot<Value: Codable>(inferring value: @autoclosure () -> Value) -> _AttributeSlot<Value> {
  _AttributeSlot()
}

// Overloads for any other type, which make the compiler report the property's type and nothing else.

@available(
  *, unavailable,
  message:
    "a persisted property must be of a type that is Codable, a model, or an array of models (no set, and no dictionary); or add '@Transient'"
)
@_disfavoredOverload
public func _slot<Value>(of type: Value.Type) -> _AttributeSlot<Value> {
  _AttributeSlot()
}

@available(
  *, unavailable,
  message:
    "a persisted property must be of a type that is Codable, a model, or an array of models (no set, and no dictionary); or add '@Transient'"
)
@_disfavoredOverload
public func _slot<Value>(inferring value: @autoclosure () -> Value) -> _AttributeSlot<Value> {
  _AttributeSlot()
}

extension _AttributeSlot {
  @_disfavoredOverload
  public mutating func read(_ row: _RowReader, _ index: Int) {}

  @_disfavoredOverload
  public func write(_ row: _RowWriter, _ index: Int) {}
}

@inlinable
public func _transformableSlot<Value>(of type: Value.Type) -> _AttributeSlot<Value> {
  _AttributeSlot()
}

@inlinable
public func _transformableSlot<Value>(inferring value: @autoclosure () -> Value) -> _AttributeSlot<Value> {
  _AttributeSlot()
}
