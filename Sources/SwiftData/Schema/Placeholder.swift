import Foundation

/// Placeholder values of types that are known at run time only, for reads without a value.
enum Placeholder {
  /// A value of the type: nil, zero, empty or the first case. `nil` when none can be made.
  static func value<Value>(of type: Value.Type) -> Value? {
    value(of: type, depth: 0)
  }

  static func value<Value>(of type: Value.Type, depth: Int) -> Value? {
    guard depth < PlaceholderDecoder.maximumDepth else { return nil }
    if let optional = type as? any OptionalValue.Type { return optional.none as? Value }
    if let known = constants[ObjectIdentifier(type)] { return known as? Value }
    if let collection = type as? any RangeReplaceableCollection.Type { return empty(collection) as? Value }
    if let set = type as? any SetAlgebra.Type { return empty(set) as? Value }
    if let dictionary = type as? any EmptyDictionary.Type { return dictionary.init() as? Value }
    if let model = type as? any PersistentModel.Type { return model.makePlaceholder() as? Value }
    if let first = EnumerationCases.some(of: type).first { return first }
    if let raw = type as? any RawRepresentable.Type, let made = rawRepresentable(raw, depth) as? Value { return made }
    if let decodable = type as? any Decodable.Type {
      let decoder = PlaceholderDecoder(recorder: nil, depth: depth, size: MemoryLayout<Value>.size)
      if let decoded = try? decodable.init(from: decoder) as? Value { return decoded }
    }
    return zero(of: type) ?? memberwise(of: type) { field in
      func open<Field>(_ type: Field.Type) -> Any? { value(of: type, depth: depth + 1) }
      return _openExistential(field, do: open)
    } as? Value
  }

  /// A struct made field by field, without its initializers, which may refuse every placeholder value.
  static func memberwise(of type: Any.Type, _ fieldValue: (Any.Type) -> Any?) -> Any? {
    func open<Value>(_ type: Value.Type) -> Any? { memberwise(type, fieldValue) }
    return _openExistential(type, do: open)
  }

  private static func memberwise<Value>(_ type: Value.Type, _ fieldValue: (Any.Type) -> Any?) -> Value? {
    var fields: [(UnsafeMutableRawPointer) -> Void] = []
    let isComplete = StoredField.all(of: type)?.allSatisfy { property in
      func open<Field>(_ type: Field.Type) -> Bool {
        guard let value = fieldValue(type).flatMap({ $0 as? Field }) else { return false }
        fields.append { _ = ($0 + property.offset).initializeMemory(as: Field.self, to: value) }
        return true
      }
      return _openExistential(property.type, do: open)
    }
    guard isComplete == true, !fields.isEmpty else { return nil }
    // Every field is initialized with a value of its type at its offset, so the memory is a valid value.
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      for field in fields { field(UnsafeMutableRawPointer(start)) }
      return start.move()
    }
  }

  private static let constants: [ObjectIdentifier: any Sendable] = {
    let constants: [any Sendable] = [
      "", false, 0, Int8(0), Int16(0), Int32(0), Int64(0), UInt(0), UInt8(0), UInt16(0), UInt32(0), UInt64(0),
      Float(0), Double(0), Decimal(0), Date(timeIntervalSinceReferenceDate: 0), Data(), Character(" "),
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), URL(fileURLWithPath: "/"),
    ]
    return Dictionary(uniqueKeysWithValues: constants.map { (ObjectIdentifier(type(of: $0)), $0) })
  }()

  private static func empty<Value: RangeReplaceableCollection>(_ type: Value.Type) -> Any {
    Value()
  }

  private static func empty<Value: SetAlgebra>(_ type: Value.Type) -> Any {
    Value()
  }

  private static func rawRepresentable<Value: RawRepresentable>(_ type: Value.Type, _ depth: Int) -> Any? {
    if let rawValue = value(of: Value.RawValue.self, depth: depth + 1), let made = Value(rawValue: rawValue) {
      return made
    }
    // Integer raw values mostly begin near zero.
    for number in -1...16 {
      let integer = Value.RawValue.self as? any BinaryInteger.Type
      if let rawValue = integer?.init(exactly: number) as? Value.RawValue, let made = Value(rawValue: rawValue) {
        return made
      }
    }
    return nil
  }

  /// The value whose bytes are all zero, when it is certainly valid: the first case of an enum, or a struct of such.
  static func zero<Value>(of type: Value.Type) -> Value? {
    ZeroValue.first(of: type) { constants[ObjectIdentifier($0)] != nil }
  }
}

private protocol EmptyDictionary {
  init()
}

extension Dictionary: EmptyDictionary {}
