public import Foundation

/// Describes the key by which models are grouped: a property, an expression or a part of a date.
///
/// `fetchGroups` takes plain key paths as well. A descriptor is needed only for a key that a key path cannot express.
public struct GroupDescriptor<T: PersistentModel, Key: Hashable>: Sendable {
  let operand: AggregateOperand

  private init(_ operand: AggregateOperand) {
    self.operand = operand
  }

  /// Groups models by the value of a property.
  ///
  /// The property may be a related model, and the key path may lead through to-one relationships. Models without a
  /// value are in a group whose key is nil.
  public static func value(of keyPath: KeyPath<T, Key>) -> GroupDescriptor {
    GroupDescriptor(AggregateOperand(keyPath))
  }

  /// Groups models by the value of an expression.
  public static func value(of expression: Expression<T, Key>) -> GroupDescriptor {
    GroupDescriptor(AggregateOperand(expression))
  }

  /// Groups models by the day, the month or another span of time that contains a date.
  ///
  /// The key of a group is the first moment of its span. `fetchGroups` throws ``SwiftDataError/unsupportedKeyPath`` for
  /// a component that `Calendar.dateInterval(of:for:)` does not support.
  ///
  /// - Parameters:
  ///   - component: The kind of span, as in `Calendar.dateInterval(of:for:)`.
  ///   - keyPath: The key path to the date.
  ///   - calendar: The calendar that determines the spans, with its time zone.
  public static func start(
    of component: Calendar.Component, containing keyPath: KeyPath<T, Date>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Date {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .start, component: component, calendar: calendar)))
  }

  /// Groups models by the day, the month or another span of time that contains an optional date.
  ///
  /// The key of a group is the first moment of its span. Models without a date are in a group whose key is nil.
  ///
  /// - Parameters:
  ///   - component: The calendar component that makes the key.
  ///   - keyPath: The key path to the date.
  ///   - calendar: The calendar that determines the key, with its time zone.
  public static func start(
    of component: Calendar.Component, containing keyPath: KeyPath<T, Date?>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Date? {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .start, component: component, calendar: calendar)))
  }

  /// Groups models by one component of a date, such as the weekday or the hour.
  ///
  /// The key of a group is the number of the component. The rest of the date does not matter: all Mondays are one
  /// group, and all Tuesdays another. `fetchGroups` throws ``SwiftDataError/unsupportedKeyPath`` for a component that
  /// `Calendar.dateInterval(of:for:)` does not support.
  ///
  /// - Parameters:
  ///   - component: The component whose number is the key, as in `Calendar.component(_:from:)`.
  ///   - keyPath: The key path to the date.
  ///   - calendar: The calendar that determines the number, with its time zone.
  public static func component(
    _ component: Calendar.Component, from keyPath: KeyPath<T, Date>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Int {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .number, component: component, calendar: calendar)))
  }

  /// Groups models by one component of an optional date, such as the weekday or the hour.
  ///
  /// The key of a group is the number of the component. Models without a date are in a group whose key is nil.
  ///
  /// - Parameters:
  ///   - component: The calendar component that makes the key.
  ///   - keyPath: The key path to the date.
  ///   - calendar: The calendar that determines the key, with its time zone.
  public static func component(
    _ component: Calendar.Component, from keyPath: KeyPath<T, Date?>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Int? {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .number, component: component, calendar: calendar)))
  }
}

/// Describes an order of groups: by one of their keys, or by an aggregate.
///
/// The aggregate need not be one that the fetch returns. Values of a `Comparable` type are compared as in Swift, values
/// of other types by their raw values, and models by their identifiers; `false` comes before `true`. In ascending order
/// nil comes first, and in descending order it comes last.
public struct GroupSortDescriptor<T: PersistentModel>: Sendable {
  enum Criterion: Sendable {
    case key(AggregateOperand)
    case aggregate(AggregateColumn)
  }

  let criterion: Criterion
  /// The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  public var order: SortOrder

  /// Orders groups by an aggregate.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregate whose values are compared.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  public init<Value>(_ aggregate: AggregateDescriptor<T, Value>, order: SortOrder = .forward) {
    criterion = .aggregate(aggregate.column)
    self.order = order
  }

  /// Orders groups by one of their keys.
  ///
  /// `fetchGroups` throws ``SwiftDataError/unsupportedSortDescriptor`` when the groups do not have that key, and always
  /// when the key is an expression, because expressions cannot be compared.
  ///
  /// - Parameters:
  ///   - key: The key whose values are compared.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  public init<Key>(_ key: GroupDescriptor<T, Key>, order: SortOrder = .forward) {
    criterion = .key(key.operand)
    self.order = order
  }

  /// Orders groups by one of their keys.
  ///
  /// `fetchGroups` throws ``SwiftDataError/unsupportedSortDescriptor`` when the groups do not have that key.
  ///
  /// - Parameters:
  ///   - keyPath: The property that is a key of the groups.
  ///   - order: The direction: `.forward` puts the smallest value first, `.reverse` the largest.
  public init<Key>(_ keyPath: KeyPath<T, Key>, order: SortOrder = .forward) {
    criterion = .key(AggregateOperand(keyPath))
    self.order = order
  }

  var operand: AggregateOperand? {
    switch criterion {
    case .key(let operand): operand
    case .aggregate(let column): column.operand
    }
  }
}
