import Foundation
import Relational
import Support

/// The part of a date that is the key of a group, such as the beginning of its month or its weekday.
///
/// Calendars are too complicated for SQL. SQL calls this code as well, so that the results are the same.
struct DatePart: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case start, number
  }

  let rule: Rule
  let component: Calendar.Component
  let calendar: Calendar

  /// Whether the calendar has intervals of the component.
  var isKnown: Bool {
    calendar.dateInterval(of: component, for: Date(timeIntervalSinceReferenceDate: 0)) != nil
  }

  /// The beginning as a date, or the number as an integer; null for a date that is NaN.
  func value(of date: Date) -> Value {
    guard !date.timeIntervalSinceReferenceDate.isNaN else { return .null }
    return Self.registry.withLock { $0.value(of: Self.clamped(date), for: self) }
  }

  /// The type of the values.
  var valueType: any _PrimitiveValue.Type {
    rule == .start ? Date.self : Int.self
  }

  /// Thrown when a statement uses a part that was evicted because many other parts were used while it ran.
  struct Forgotten: Error {}

  /// The number of the part in SQL. It is valid until many other parts have been used.
  var number: Int {
    Self.registry.withLock { $0.number(of: self) }
  }

  /// The value, for a date, of the part with a number.
  static func value(of date: Date, at number: Int) throws -> Value {
    guard !date.timeIntervalSinceReferenceDate.isNaN else { return .null }
    return try registry.withLock { try $0.value(of: clamped(date), at: number) }
  }

  private static let registry = Mutex(DatePartRegistry())

  /// A date within the range that calendars support, some 120,000 years either way.
  private static func clamped(_ date: Date) -> Date {
    Date(timeIntervalSinceReferenceDate: min(max(date.timeIntervalSinceReferenceDate, -4e12), 4e12))
  }

  /// The value of a date, and the span of time in which it is the same.
  fileprivate func span(of date: Date) -> DateSpan? {
    guard let interval = calendar.dateInterval(of: component, for: date) else { return nil }
    let value =
      switch rule {
      case .start: SingleValueWriter.value(of: interval.start)
      case .number: SingleValueWriter.value(of: calendar.component(component, from: date))
      }
    return DateSpan(
      start: interval.start.timeIntervalSinceReferenceDate, end: interval.end.timeIntervalSinceReferenceDate,
      value: value)
  }
}

private struct DateSpan {
  var start: Double
  var end: Double
  var value: Value
}

/// The most recently used parts, by number, and cached spans of each: the calendar's calculation is the most expensive part
/// of a row.
private struct DatePartRegistry {
  private final class Entry {
    let part: DatePart
    /// In ascending order.
    var spans: [DateSpan] = []

    init(_ part: DatePart) {
      self.part = part
    }
  }

  private var numbers = RecentValues<DatePart, Int>(capacity: partLimit)
  private var entries = RecentValues<Int, Entry>(capacity: partLimit)
  private var last = 0

  /// The maximum number of parts. Programs may use any number of calendars and time zones.
  private static let partLimit = 64
  private static let spanLimit = 10_000

  /// The number of a part. It is valid until `partLimit` other parts have been used.
  mutating func number(of part: DatePart) -> Int {
    if let number = numbers[part], entries[number] != nil { return number }
    last += 1
    numbers[part] = last
    entries[last] = Entry(part)
    return last
  }

  mutating func value(of date: Date, for part: DatePart) -> Value {
    let number = number(of: part)
    return entries[number].map { value(of: date, in: $0) } ?? .null
  }

  mutating func value(of date: Date, at number: Int) throws -> Value {
    guard let entry = entries[number] else { throw DatePart.Forgotten() }
    return value(of: date, in: entry)
  }

  private func value(of date: Date, in entry: Entry) -> Value {
    let time = date.timeIntervalSinceReferenceDate
    var low = 0
    var high = entry.spans.count
    while low < high {
      let middle = (low + high) / 2
      if entry.spans[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    if low > 0, time < entry.spans[low - 1].end { return entry.spans[low - 1].value }
    guard let span = entry.part.span(of: date) else { return .null }
    // The bounds of extreme spans are rounded. A span without its own date must not be cached.
    guard span.start <= time, time < span.end else { return span.value }
    if entry.spans.count >= Self.spanLimit { entry.spans.removeAll() }
    let position = entry.spans.firstIndex { $0.start > span.start } ?? entry.spans.count
    entry.spans.insert(span, at: position)
    return span.value
  }
}
