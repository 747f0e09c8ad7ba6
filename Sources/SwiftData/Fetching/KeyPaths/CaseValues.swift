/// Values of an enum's properties, computed for each case.
enum CaseValues {
  /// A case, and the value that a property has for it.
  struct CaseValue {
    var raw: Any
    var value: Any
  }

  /// All cases of an enumeration with raw values; nil when they are not known.
  static func cases(of type: Any.Type) -> [Any]? {
    func open<Case: RawRepresentable>(_ type: Case.Type) -> [Any]? { EnumerationCases.all(of: type) }
    return (type as? any RawRepresentable.Type).flatMap { open($0) }
  }

  /// Whether a value is the raw value of a case.
  static func isRawValue(_ value: Any, of candidate: Any) -> Bool {
    func isRawValue<Raw: RawRepresentable>(of candidate: Raw) -> Bool {
      // As `AnyHashable`, equal numbers of different types are equal.
      guard let value = value as? Raw.RawValue as? AnyHashable else { return false }
      return value == candidate.rawValue as? AnyHashable
    }
    return (candidate as? any RawRepresentable).map { isRawValue(of: $0) } ?? false
  }

  /// Whether a key path is `RawRepresentable.rawValue` of a type.
  static func isRawValue(_ keyPath: AnyKeyPath, of type: Any.Type) -> Bool {
    func open<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool { keyPath == \Raw.rawValue }
    return (type as? any RawRepresentable.Type).map { open($0) } ?? false
  }

  /// The values of a key path for all cases; nil when the cases are not known.
  static func values(of keyPath: AnyKeyPath, _ type: Any.Type) -> [CaseValue]? {
    guard let type = type as? any RawRepresentable.Type else { return nil }
    return values(of: keyPath, in: type)
  }

  private static func values<Case: RawRepresentable>(of keyPath: AnyKeyPath, in type: Case.Type) -> [CaseValue]? {
    guard let keyPath = keyPath as? PartialKeyPath<Case> else { return nil }
    return EnumerationCases.all(of: type)?.map { CaseValue(raw: $0, value: $0[keyPath: keyPath]) }
  }
}
