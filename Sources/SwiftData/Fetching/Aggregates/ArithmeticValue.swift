public import Foundation

/// A type whose values can be summed: a number type, or an optional of one.
///
/// Values that are nil are left out of a sum. A sum may have a wider type than its values, so that a sum of `Int8` does
/// not overflow at 127: sums of integers narrower than `Int` are of type `Int`, and sums of `Float` are of type
/// `Double`. Only the conformances in this library are supported; do not add others.
public protocol SummableValue: _ArithmeticValue {
  /// The type of a sum of such values.
  associatedtype Sum: _PrimitiveValue & Comparable
}

/// A type whose values have a mean: a number type, `Date`, or an optional of one.
///
/// Values that are nil are left out of a mean. Only the conformances in this library are supported; do not add others.
public protocol AverageableValue: _ArithmeticValue {
  /// The type of a mean of such values.
  associatedtype Average: _PrimitiveValue & Comparable
}

/// A value that can be added up in some way.
public protocol _ArithmeticValue {
  static var _arithmetic: _Arithmetic { get }
}

/// How values of a type are added up.
public struct _Arithmetic: Sendable {
  enum Kind: CaseIterable {
    /// Exactly, in integers.
    case integer
    /// Exactly, in integers up to the largest unsigned one.
    case unsignedInteger
    /// Exactly, and rounded once at the end.
    case real
    /// In `Decimal`.
    case decimal
  }

  let kind: Kind

  static let integer = _Arithmetic(kind: .integer)
  static let unsignedInteger = _Arithmetic(kind: .unsignedInteger)
  static let real = _Arithmetic(kind: .real)
  static let decimal = _Arithmetic(kind: .decimal)
}

extension _ArithmeticValue where Self: FixedWidthInteger {
  public static var _arithmetic: _Arithmetic { .integer }
}

extension Int: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int8: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int16: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int32: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int64: SummableValue, AverageableValue {
  public typealias Sum = Int64
  public typealias Average = Double
}

extension UInt8: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt16: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt32: SummableValue, AverageableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt: SummableValue, AverageableValue {
  public typealias Sum = UInt
  public typealias Average = Double
  public static var _arithmetic: _Arithmetic { .unsignedInteger }
}

extension UInt64: SummableValue, AverageableValue {
  public typealias Sum = UInt64
  public typealias Average = Double
  public static var _arithmetic: _Arithmetic { .unsignedInteger }
}

extension Double: SummableValue, AverageableValue {
  public typealias Sum = Double
  public typealias Average = Double
  public static var _arithmetic: _Arithmetic { .real }
}

extension Float: SummableValue, AverageableValue {
  public typealias Sum = Double
  public typealias Average = Double
  public static var _arithmetic: _Arithmetic { .real }
}

extension Decimal: SummableValue, AverageableValue {
  public typealias Sum = Decimal
  public typealias Average = Decimal
  public static var _arithmetic: _Arithmetic { .decimal }
}

extension Date: AverageableValue {
  public typealias Average = Date
  public static var _arithmetic: _Arithmetic { .real }
}

extension Optional: _ArithmeticValue where Wrapped: _ArithmeticValue {
  public static var _arithmetic: _Arithmetic { Wrapped._arithmetic }
}

extension Optional: SummableValue where Wrapped: SummableValue {
  public typealias Sum = Wrapped.Sum
}

extension Optional: AverageableValue where Wrapped: AverageableValue {
  public typealias Average = Wrapped.Average
}
