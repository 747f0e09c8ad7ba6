import Foundation

/// Values of types that are known at run time only, so varied that any function but the identity changes at least one of
/// them. The first ones are the most ordinary.
enum Samples {
  static func values<Value>(of type: Value.Type) -> [Value] {
    any(of: type, depth: 0).compactMap { $0 as? Value }
  }

  private static func any(of type: Any.Type, depth: Int) -> [Any] {
    guard depth < 4 else { return [] }
    if let optional = type as? any OptionalValue.Type {
      return any(of: optional.wrappedType, depth: depth + 1) + [optional.none]
    }
    if let known = constants[ObjectIdentifier(type)] { return known }
    if let integer = type as? any FixedWidthInteger.Type { return integers(of: integer) }
    if let real = type as? any BinaryFloatingPoint.Type { return reals(of: real) }
    let cases = someCases(of: type)
    if !cases.isEmpty { return cases }
    if let raw = type as? any RawRepresentable.Type { return rawRepresentables(of: raw, depth) }
    if let collection = type as? any RangeReplaceableCollection.Type { return collections(of: collection, depth) }
    if let set = type as? any SetAlgebra.Type { return sets(of: set, depth) }
    return (0..<4).compactMap { index in
      Placeholder.memberwise(of: type) { field in
        let values = any(of: field, depth: depth + 1)
        return values.isEmpty ? nil : values[index % values.count]
      }
    }
  }

  private static let constants: [ObjectIdentifier: [any Sendable]] = [
    ObjectIdentifier(String.self): [
      "1", " Ab\u{e9}e\u{301} ", "a,b_C/d:e.f;g@h#i-j\nk", String(repeating: "long ", count: 60), "a", "",
    ],
    ObjectIdentifier(Bool.self): [true, false],
    ObjectIdentifier(Decimal.self): [7, 1, 0, Decimal(-1.5), Decimal(0.001), 1_000_003],
    ObjectIdentifier(Date.self): [820_454_401.25, 0, -900_000_000.5, 9_000_000_000].map {
      Date(timeIntervalSinceReferenceDate: $0)
    },
    ObjectIdentifier(Data.self): [Data([49, 50]), Data([0, 255, 0]), Data()],
    ObjectIdentifier(UUID.self): [
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)),
    ],
    ObjectIdentifier(URL.self): ["https://example.org/a/b.c?d=e#f", "file:///tmp/x"].compactMap { URL(string: $0) },
    ObjectIdentifier(Character.self): ["a", "\u{c9}", " "] as [Character],
  ]

  private static func integers<Integer: FixedWidthInteger>(of type: Integer.Type) -> [Any] {
    [7, 1, 0, -1, -73, 120, 10_007, 1_000_003].compactMap { Integer(exactly: $0) }
  }

  private static func reals<Real: BinaryFloatingPoint>(of type: Real.Type) -> [Any] {
    [7.25, 1, 0, -1.5, 0.001, 123_456.75, 1e12].map { Real($0) }
  }

  private static func someCases(of type: Any.Type) -> [Any] {
    func open<Value>(_ type: Value.Type) -> [Any] { EnumerationCases.some(of: type) }
    return _openExistential(type, do: open)
  }

  private static func rawRepresentables<Value: RawRepresentable>(of type: Value.Type, _ depth: Int) -> [Any] {
    let integer = Value.RawValue.self as? any BinaryInteger.Type
    let numbers = (0...64).compactMap { integer?.init(exactly: $0) as Any? }
    return (any(of: Value.RawValue.self, depth: depth + 1) + numbers).compactMap {
      ($0 as? Value.RawValue).flatMap(Value.init(rawValue:))
    }
  }

  private static func collections<Value: RangeReplaceableCollection>(of type: Value.Type, _ depth: Int) -> [Any] {
    let elements = any(of: Value.Element.self, depth: depth + 1).compactMap { $0 as? Value.Element }
    guard let first = elements.first, let last = elements.last else { return [Value()] }
    return [Value([first]), Value([last, first, first]), Value(elements), Value()]
  }

  private static func sets<Value: SetAlgebra>(of type: Value.Type, _ depth: Int) -> [Any] {
    let elements = any(of: Value.Element.self, depth: depth + 1).compactMap { $0 as? Value.Element }
    return [Value(elements.prefix(1)), Value(elements), Value()]
  }
}
