import Foundation

/// The order of a fetch's models in memory, equal to the order of the store's rows.
struct FetchOrder<Model> {
  private let comparisons: [(Model, Model) -> ComparisonResult]

  /// - Parameter isAsWritten: Whether the store orders the text of a key path by its original bytes, not normalized.
  init(_ descriptors: [SortDescriptor<Model>], isAsWritten: (AnyKeyPath) -> Bool) {
    comparisons = descriptors.map { Self.comparison(of: $0, isAsWritten) }
  }

  func compare(_ left: Model, _ right: Model) -> ComparisonResult {
    for comparison in comparisons {
      let result = comparison(left, right)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }

  /// Stores order text by its bytes, which is Swift's order only for text in Unicode's normal form C, the form of unique
  /// values. Stores order NaN, which Swift does not order, after all numbers.
  private static func comparison(
    of descriptor: SortDescriptor<Model>, _ isAsWritten: (AnyKeyPath) -> Bool
  ) -> (Model, Model) -> ComparisonResult {
    let order = descriptor.order
    switch descriptor.keyPath {
    case let path as KeyPath<Model, String>:
      let precedes = Self.order(isAsWritten: isAsWritten(path))
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: precedes) }
    case let path as KeyPath<Model, String?>:
      let precedes = Self.order(isAsWritten: isAsWritten(path))
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: precedes) }
    case let path as KeyPath<Model, Int>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: <) }
    case let path as KeyPath<Model, Int?>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: <) }
    case let path as KeyPath<Model, Double>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, Double?>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, Float>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, Float?>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, Date>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, Date?>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, PersistentIdentifier>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    case let path as KeyPath<Model, PersistentIdentifier?>:
      return { Self.compare($0[keyPath: path], $1[keyPath: path], order, by: Self.precedes) }
    default:
      return descriptor.compare
    }
  }

  private static func order(isAsWritten: Bool) -> (String, String) -> Bool {
    if isAsWritten { return { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    return { CanonicalText.normalized($0).utf8.lexicographicallyPrecedes(CanonicalText.normalized($1).utf8) }
  }

  private static func precedes<Number: BinaryFloatingPoint>(_ left: Number, _ right: Number) -> Bool {
    left < right || (right.isNaN && !left.isNaN)
  }

  private static func precedes(_ left: Date, _ right: Date) -> Bool {
    precedes(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
  }

  /// Unsaved models come after saved ones.
  private static func precedes(_ left: PersistentIdentifier, _ right: PersistentIdentifier) -> Bool {
    let (entity, otherEntity) = (left.entityName, right.entityName)
    if entity != otherEntity { return entity.utf8.lexicographicallyPrecedes(otherEntity.utf8) }
    guard left.isTemporary, right.isTemporary else {
      return left.isTemporary ? false : right.isTemporary || left < right
    }
    return left.id.key > right.id.key
  }

  private static func compare<Value>(
    _ left: Value?, _ right: Value?, _ order: SortOrder, by precedes: (Value, Value) -> Bool
  ) -> ComparisonResult {
    let isAscending: Bool
    let isDescending: Bool
    switch (left, right) {
    case (nil, nil): return .orderedSame
    case (nil, _): (isAscending, isDescending) = (true, false)
    case (_, nil): (isAscending, isDescending) = (false, true)
    case (let left?, let right?): (isAscending, isDescending) = (precedes(left, right), precedes(right, left))
    }
    guard isAscending || isDescending else { return .orderedSame }
    return isAscending == (order == .forward) ? .orderedAscending : .orderedDescending
  }
}
