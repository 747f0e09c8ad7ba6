import Support

/// The values of types with few values: `CaseIterable` types, and enumerations with raw values.
enum EnumerationCases {
  /// The largest number of values that is enumerated.
  static let limit = 100

  /// All values of a type, in the order of its declaration; nil when they are not certain.
  static func all<Value>(of type: Value.Type) -> [Value]? {
    guard let listing = type as? any CaseIterable.Type else {
      return verifiedCount(of: type).map { (0..<$0).map { EnumerationLayout.value(of: type, tag: $0) } }
    }
    let listed = Self.listed(listing, atMost: limit + 1).compactMap { $0 as? Value }
    guard !listed.isEmpty, listed.count <= limit else { return nil }
    // A hand-written `allCases` may leave cases out.
    if let count = EnumerationLayout.caseCount(of: type), count != listed.count { return nil }
    return listed
  }

  /// The first values of a type, as far as any are known.
  static func some<Value>(of type: Value.Type) -> [Value] {
    guard let listing = type as? any CaseIterable.Type else { return all(of: type) ?? [] }
    return listed(listing, atMost: limit).compactMap { $0 as? Value }
  }

  private static let plainTexts = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether a type is an enumeration without associated values whose raw values are all ASCII text.
  static func arePlainTexts(of type: Any.Type) -> Bool {
    guard let raw = type as? any RawRepresentable.Type else { return false }
    if let known = plainTexts.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    // Outside the lock, because the type's own code runs.
    let arePlain = arePlainTexts(raw)
    plainTexts.withLock { $0[ObjectIdentifier(type)] = arePlain }
    return arePlain
  }

  private static func arePlainTexts<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
    guard EnumerationLayout.caseCount(of: type) != nil, let cases = all(of: type) else { return false }
    return cases.allSatisfy { ($0.rawValue as? String)?.utf8.allSatisfy { $0 < 0x80 } == true }
  }

  private static func listed<Value: CaseIterable>(_ type: Value.Type, atMost count: Int) -> [Any] {
    Array(type.allCases.prefix(count))
  }

  private static let counts = Mutex<[ObjectIdentifier: Int?]>([:])

  private static func verifiedCount(of type: Any.Type) -> Int? {
    guard let raw = type as? any RawRepresentable.Type else { return nil }
    if let known = counts.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    // Outside the lock, because the type's own code runs.
    let count = verifiedCount(raw)
    counts.withLock { _ = $0.updateValue(count, forKey: ObjectIdentifier(type)) }
    return count
  }

  /// The number of cases by the layout, when the type's own code confirms it: each case has a unique raw value, and
  /// `init(rawValue:)` gives the case again.
  private static func verifiedCount<Value: RawRepresentable>(_ type: Value.Type) -> Int? {
    guard let count = EnumerationLayout.caseCount(of: type), count <= limit else { return nil }
    var raws: Set<AnyHashable> = []
    for tag in 0..<count {
      let value = EnumerationLayout.value(of: type, tag: tag)
      guard let raw = value.rawValue as? AnyHashable, raws.insert(raw).inserted,
        let same = Value(rawValue: value.rawValue), EnumerationLayout.tag(of: same) == tag
      else { return nil }
    }
    return count
  }
}
