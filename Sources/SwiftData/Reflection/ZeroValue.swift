/// Values whose bytes are all zero.
enum ZeroValue {
  /// The value whose bytes are all zero, when it is certainly valid: the first case of an enum, or a struct of such.
  ///
  /// - Parameter isKnown: Whether the caller knows that zeroes are a value of a type without references.
  static func first<Value>(of type: Value.Type, _ isKnown: (Any.Type) -> Bool) -> Value? {
    guard _isPOD(type), isValid(for: type, isKnown) else { return nil }
    return unchecked(of: type)
  }

  /// The only value of an enum with a single case, whose size is zero. The caller knows that there is a case.
  static func onlyCase<Value>(of type: Value.Type) -> Value? {
    guard MetadataKind(of: type) == .enum, MemoryLayout<Value>.size == 0 else { return nil }
    return unchecked(of: type)
  }

  /// The value whose bytes are all zero. The callers have checked that the type has one, and no references.
  private static func unchecked<Value>(of type: Value.Type) -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      return buffer.first
    }
  }

  private static func isValid(for type: Any.Type, _ isKnown: (Any.Type) -> Bool) -> Bool {
    if isKnown(type) { return true }
    switch MetadataKind(of: type) {
    case .enum:
      // The size of an enum with one case or none is zero. Only one with a case can have raw values.
      return size(of: type) > 0 || type is any RawRepresentable.Type
    case .struct:
      return StoredField.all(of: type)?.allSatisfy { isValid(for: $0.type, isKnown) } ?? false
    case .other:
      return false
    }
  }

  private static func size(of type: Any.Type) -> Int {
    func open<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
    return _openExistential(type, do: open)
  }
}
