import Foundation

/// Harmless values of any type, for what is read when there is nothing to read.
enum Placeholder {
  /// A value of the type: nil, zero, empty, or the first case; `nil` when the type has none that can be found.
  static func value<Value>(of type: Value.Type) -> Value? {
    value(of: type, depth: 0)
  }

  static func value<Value>(of type: Value.Type, depth: Int) -> Value? {
    guard depth < 16 else { return nil }
    if let optional = type as? any OptionalValue.Type { return optional.none as? Value }
    if let primitive = primitive(type) { return primitive as? Value }
    if let empty = type as? any EmptyCollection.Type { return empty.init() as? Value }
    if let model = type as? any PersistentModel.Type { return model.makePlaceholder() as? Value }
    if let iterable = type as? any CaseIterable.Type, let first = first(of: iterable) as? Value { return first }
    if let raw = type as? any RawRepresentable.Type, let made = make(raw) as? Value { return made }
    if let decodable = type as? any Decodable.Type,
      let made = try? decodable.init(from: PlaceholderDecoder(recording: nil, depth: depth + 1)) as? Value
    {
      return made
    }
    return zeroed(type)
  }

  private static func primitive(_ type: Any.Type) -> Any? {
    switch type {
    case is String.Type: ""
    case is Bool.Type: false
    case is Double.Type: 0.0
    case is Float.Type: Float(0)
    case is Date.Type: Date(timeIntervalSinceReferenceDate: 0)
    case is Data.Type: Data()
    case is Decimal.Type: Decimal(0)
    case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    case is URL.Type: URL(fileURLWithPath: "/")
    case let integer as any FixedWidthInteger.Type: zero(integer)
    default: nil
    }
  }

  private static func zero<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Any { Integer.zero }

  private static func first<Iterable: CaseIterable>(of type: Iterable.Type) -> Any? { type.allCases.first }

  private static func make<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
    if let value = primitive(Raw.RawValue.self) as? Raw.RawValue, let made = Raw(rawValue: value) { return made }
    if let value = 1 as? Raw.RawValue { return Raw(rawValue: value) }
    return nil
  }

  /// All bits zero: the first case of an enum without payloads, zeros in a struct of numbers. Only for types that can be
  /// copied bit by bit, where no bits can do harm to memory.
  private static func zeroed<Value>(_ type: Value.Type) -> Value? {
    guard _isPOD(type), MemoryLayout<Value>.size > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      return buffer[0]
    }
  }
}

private protocol EmptyCollection {
  init()
}

extension Array: EmptyCollection {}
extension Set: EmptyCollection {}
extension Dictionary: EmptyCollection {}
