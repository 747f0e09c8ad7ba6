import Foundation
import Relational

/// A value as the key of a group. Values that are equal in a store are equal here, and have the same order.
///
/// Text is compared by its characters, as everywhere in Swift. NaN equals NaN, and comes after all numbers.
enum AggregateCell: Hashable {
  /// A value of a primitive type, or nil.
  case stored(Value)
  case identifier(PersistentIdentifier)
  /// A value of a type with raw values that has an order of its own.
  case ordered(AnyHashable)
  case other(AnyHashable)

  init(_ value: Any?) {
    switch value {
    case nil:
      self = .stored(.null)
    case let text as String:
      self = .stored(.text(CanonicalText.normalized(text)))
    case let primitive as any _PrimitiveValue:
      self = .stored(SingleValueWriter.value(of: primitive))
    case let identifier as PersistentIdentifier:
      self = .identifier(identifier)
    case let hashable as any Hashable where hashable is any Comparable:
      self = .ordered(AnyHashable(hashable))
    case let raw as any RawRepresentable where raw.rawValue is any _PrimitiveValue:
      self = AggregateCell(raw.rawValue)
    case let hashable as any Hashable:
      self = .other(AnyHashable(hashable))
    default:
      self = .stored(.null)
    }
  }

  /// Nil comes before everything.
  func compare(_ other: AggregateCell) -> ComparisonResult {
    switch (self, other) {
    case (.stored(let left), .stored(let right)): return left.compare(right)
    case (.stored(.null), _): return .orderedAscending
    case (_, .stored(.null)): return .orderedDescending
    case (.identifier(let left), .identifier(let right)): return Self.compare(left, right)
    case (.ordered(let left), .ordered(let right)):
      guard let left = left.base as? any Comparable else { return .orderedSame }
      return Self.compare(left, right.base)
    default: return .orderedSame
    }
  }

  /// Saved models by their identifiers, then unsaved ones in the order of their insertion.
  private static func compare(_ left: PersistentIdentifier, _ right: PersistentIdentifier) -> ComparisonResult {
    if left == right { return .orderedSame }
    let isBefore =
      switch (left.isTemporary, right.isTemporary) {
      case (false, false): left < right
      case (true, true): left.id.key > right.id.key
      case (let isUnsaved, _): !isUnsaved
      }
    return isBefore ? .orderedAscending : .orderedDescending
  }

  static func compare<Ordered: Comparable>(_ left: Ordered, _ right: Any) -> ComparisonResult {
    guard let right = right as? Ordered else { return .orderedSame }
    if left < right { return .orderedAscending }
    return right < left ? .orderedDescending : .orderedSame
  }

  /// A cell as the requested type.
  static func cast<Result>(_ cell: Any?, to type: Result.Type) throws -> Result {
    if let cell, let result = cell as? Result { return result }
    if cell == nil, let optional = Result.self as? any OptionalValue.Type, let none = optional.none as? Result {
      return none
    }
    throw SwiftDataError.modelValidationFailure.with(
      message: "A group has \(cell.map { "a \(Swift.type(of: $0))" } ?? "nil") where a \(Result.self) is expected.")
  }
}

extension Value {
  /// The order of values in a column: null, numbers, text by its bytes, blobs.
  func compare(_ other: Value) -> ComparisonResult {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return AggregateCell.compare(left, right)
    case (.text(let left), .text(let right)): return Self.compare(left.utf8, right.utf8)
    case (.blob(let left), .blob(let right)): return Self.compare(left, right)
    default:
      if let left = number, let right = other.number { return AggregateCell.compare(left, right) }
      return AggregateCell.compare(rank, other.rank)
    }
  }

  private static func compare(
    _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
  ) -> ComparisonResult {
    if left.lexicographicallyPrecedes(right) { return .orderedAscending }
    return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
  }

  private var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
