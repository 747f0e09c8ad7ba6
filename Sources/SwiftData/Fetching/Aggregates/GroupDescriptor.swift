public import Foundation

/// What groups of models go by: a property, an expression or a part of a date.
///
/// `fetchGroups` takes plain key paths as well; descriptors are for what key paths cannot say.
public struct GroupDescriptor<T: PersistentModel, Key: Hashable>: Sendable {
  let operand: AggregateOperand

  private init(_ operand: AggregateOperand) {
    self.operand = operand
  }

  /// A group for each value of a property: nil, a model and a value at the end of to-one relationships among them.
  public static func value(of keyPath: KeyPath<T, Key>) -> GroupDescriptor {
    GroupDescriptor(AggregateOperand(keyPath))
  }

  /// A group for each value of an expression.
  public static func value(of expression: Expression<T, Key>) -> GroupDescriptor {
    GroupDescriptor(AggregateOperand(expression))
  }

  /// A group for each day, month or other span of time. The key is its first moment.
  ///
  /// - Parameters:
  ///   - component: How long the span is, as in `Calendar.dateInterval(of:for:)`.
  ///   - keyPath: Leads to the date.
  ///   - calendar: The calendar that tells spans, with its time zone.
  public static func start(
    of component: Calendar.Component, containing keyPath: KeyPath<T, Date>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Date {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .start, component: component, calendar: calendar)))
  }

  /// A group for each day, month or other span of time, and one for nil. The key is the first moment of the span.
  public static func start(
    of component: Calendar.Component, containing keyPath: KeyPath<T, Date?>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Date? {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .start, component: component, calendar: calendar)))
  }

  /// A group for each number of a component, whatever the rest of the date: one for all Mondays, one for all Tuesdays.
  ///
  /// - Parameters:
  ///   - component: What is numbered, as in `Calendar.component(_:from:)`.
  ///   - keyPath: Leads to the date.
  ///   - calendar: The calendar that numbers it, with its time zone.
  public static func component(
    _ component: Calendar.Component, from keyPath: KeyPath<T, Date>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Int {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .number, component: component, calendar: calendar)))
  }

  /// A group for each number of a component, whatever the rest of the date, and one for nil.
  public static func component(
    _ component: Calendar.Component, from keyPath: KeyPath<T, Date?>, in calendar: Calendar = .current
  ) -> GroupDescriptor
  where Key == Int? {
    GroupDescriptor(
      AggregateOperand(keyPath, part: DatePart(rule: .number, component: component, calendar: calendar)))
  }
}

/// What groups are ordered by: one of their keys or an aggregate, which need not be one that is asked for.
///
/// Nil comes first, and last in reverse order. Values of a type that is `Comparable` are in its order, others in that of
/// their raw values, models in that of their identifiers, and `false` comes before `true`.
public struct GroupSortDescriptor<T: PersistentModel>: Sendable {
  enum Criterion: Sendable {
    case key(AggregateOperand)
    case aggregate(AggregateColumn)
  }

  let criterion: Criterion
  /// Whether small values come first.
  public var order: SortOrder

  /// Orders groups by an aggregate.
  public init<Value>(_ aggregate: AggregateDescriptor<T, Value>, order: SortOrder = .forward) {
    criterion = .aggregate(aggregate.column)
    self.order = order
  }

  /// Orders groups by one of their keys.
  public init<Key>(_ key: GroupDescriptor<T, Key>, order: SortOrder = .forward) {
    criterion = .key(key.operand)
    self.order = order
  }

  /// Orders groups by one of their keys.
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
