/// Reads and writes values whose type is known only at run time, in the same way as the slots do for static types.
enum DynamicCoding {
  static func read<Value: Codable>(_ type: Value.Type, _ row: _RowReader, _ index: Int, _ column: Int32) -> Value? {
    if let optional = type as? any OptionalValue.Type {
      if row.isNull(column) { return optional.none as? Value }
      if let wrapped = optional.wrappedType as? any Codable.Type {
        return readWrapped(wrapped, row, index, column) as? Value
      }
    }
    return readWrapped(type, row, index, column) as? Value
  }

  private static func readWrapped<Value: Codable>(
    _ type: Value.Type, _ row: _RowReader, _ index: Int, _ column: Int32
  ) -> Any? {
    let value: Any?
    if let primitive = type as? any _PrimitiveValue.Type {
      value = primitive._read(row, column)
    } else if let raw = type as? any RawRepresentable.Type, let made = rawRepresentable(raw, row, column) {
      value = made
    } else {
      return row.codable(type, index)
    }
    if value == nil { row.reject(index) }
    return value
  }

  private static func rawRepresentable<Value: RawRepresentable>(
    _ type: Value.Type, _ row: _RowReader, _ column: Int32
  ) -> Any? {
    guard let primitive = Value.RawValue.self as? any _PrimitiveValue.Type,
      let rawValue = primitive._read(row, column) as? Value.RawValue
    else { return nil }
    return Value(rawValue: rawValue)
  }

  static func write(_ value: any Encodable, _ row: _RowWriter, _ index: Int, _ column: Int32) {
    if let optional = value as? any OptionalValue {
      guard let wrapped = optional.wrapped as? any Encodable else { return row.null(column) }
      return write(wrapped, row, index, column)
    }
    if let primitive = value as? any _PrimitiveValue {
      primitive._write(row, column)
    } else if let raw = value as? any RawRepresentable, let primitive = raw.rawValue as? any _PrimitiveValue {
      primitive._write(row, column)
    } else {
      row.codable(value, index, column)
    }
  }
}
