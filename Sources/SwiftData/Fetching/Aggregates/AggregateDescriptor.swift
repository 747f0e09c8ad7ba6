public import Foundation

/// Describes a value to compute over models, such as their number or the sum of a property.
///
/// You rarely write the name of the type: `fetchAggregates` and `fetchGroups` of ``ModelContext`` take descriptors written
/// as `.count` or `.sum(of: \.price)`.
///
/// Values that are nil are left out, but `.count` counts models whatever their values are. NaN makes a sum or a mean
/// NaN, and is never the smallest or the largest value.
public struct AggregateDescriptor<T: PersistentModel, Value>: Sendable {
  let column: AggregateColumn

  private init(_ function: AggregateColumn.Function, _ operand: AggregateOperand?, _ resultType: any Any.Type) {
    column = AggregateColumn(function: function, operand: operand, resultType: resultType)
  }
}

extension AggregateDescriptor where Value == Int {
  /// The number of models.
  public static var count: AggregateDescriptor {
    AggregateDescriptor(.count, nil, Int.self)
  }

  /// The number of different values of a property, without nil.
  public static func distinctCount<Property: Hashable>(of keyPath: KeyPath<T, Property>) -> AggregateDescriptor {
    AggregateDescriptor(.distinctCount, AggregateOperand(keyPath), Int.self)
  }

  /// The number of different values of an expression, without nil.
  public static func distinctCount<Property: Hashable>(
    of expression: Expression<T, Property>
  ) -> AggregateDescriptor {
    AggregateDescriptor(.distinctCount, AggregateOperand(expression), Int.self)
  }
}

extension AggregateDescriptor {
  /// The sum of a property; zero when no model has a value.
  public static func sum<Property: SummableValue>(of keyPath: KeyPath<T, Property>) -> AggregateDescriptor
  where Value == Property.Sum {
    AggregateDescriptor(.arithmetic(.sum, Property._arithmetic.kind), AggregateOperand(keyPath), Property.Sum.self)
  }

  /// The sum of an expression; zero when no model has a value.
  public static func sum<Property: SummableValue>(of expression: Expression<T, Property>) -> AggregateDescriptor
  where Value == Property.Sum {
    AggregateDescriptor(.arithmetic(.sum, Property._arithmetic.kind), AggregateOperand(expression), Property.Sum.self)
  }

  /// The mean of a property; nil when no model has a value.
  public static func average<Property: AverageableValue>(of keyPath: KeyPath<T, Property>) -> AggregateDescriptor
  where Value == Property.Average? {
    AggregateDescriptor(
      .arithmetic(.average, Property._arithmetic.kind), AggregateOperand(keyPath), Property.Average.self)
  }

  /// The mean of an expression; nil when no model has a value.
  public static func average<Property: AverageableValue>(
    of expression: Expression<T, Property>
  ) -> AggregateDescriptor
  where Value == Property.Average? {
    AggregateDescriptor(
      .arithmetic(.average, Property._arithmetic.kind), AggregateOperand(expression), Property.Average.self)
  }

  /// The smallest value of a property; nil when no model has a value.
  public static func minimum<Property: Comparable & Hashable>(of keyPath: KeyPath<T, Property>) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.minimum, AggregateOperand(keyPath), Property.self)
  }

  /// The smallest value of an optional property; nil when no model has a value.
  public static func minimum<Property: Comparable & Hashable>(of keyPath: KeyPath<T, Property?>) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.minimum, AggregateOperand(keyPath), Property.self)
  }

  /// The smallest value of an expression; nil when no model has a value.
  public static func minimum<Property: Comparable & Hashable>(
    of expression: Expression<T, Property>
  ) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.minimum, AggregateOperand(expression), Property.self)
  }

  /// The smallest value of an optional expression; nil when no model has a value.
  public static func minimum<Property: Comparable & Hashable>(
    of expression: Expression<T, Property?>
  ) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.minimum, AggregateOperand(expression), Property.self)
  }

  /// The largest value of a property; nil when no model has a value.
  public static func maximum<Property: Comparable & Hashable>(of keyPath: KeyPath<T, Property>) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.maximum, AggregateOperand(keyPath), Property.self)
  }

  /// The largest value of an optional property; nil when no model has a value.
  public static func maximum<Property: Comparable & Hashable>(of keyPath: KeyPath<T, Property?>) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.maximum, AggregateOperand(keyPath), Property.self)
  }

  /// The largest value of an expression; nil when no model has a value.
  public static func maximum<Property: Comparable & Hashable>(
    of expression: Expression<T, Property>
  ) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.maximum, AggregateOperand(expression), Property.self)
  }

  /// The largest value of an optional expression; nil when no model has a value.
  public static func maximum<Property: Comparable & Hashable>(
    of expression: Expression<T, Property?>
  ) -> AggregateDescriptor
  where Value == Property? {
    AggregateDescriptor(.maximum, AggregateOperand(expression), Property.self)
  }
}
