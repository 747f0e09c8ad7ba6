import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// An aggregate that a context computes, and the same computed in plain Swift over an array of models.
struct AggregateCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The number of statements it takes; nil when models are fetched for it.
  let statementCount: Int?
  private let compare:
    @Sendable (ModelContext, FetchDescriptor<Sale>, [Sale]) throws -> (found: String, expected: String)?
  /// Computes the aggregate in a context and discards the result.
  let ask: @Sendable (ModelContext, FetchDescriptor<Sale>) throws -> Void

  init<Answer: Equatable & SendableMetatype>(
    _ description: String, statements: Int? = 1,
    ask: @escaping @Sendable (ModelContext, FetchDescriptor<Sale>) throws -> Answer,
    expect: @escaping @Sendable ([Sale]) throws -> Answer
  ) {
    testDescription = description
    statementCount = statements
    self.ask = { _ = try ask($0, $1) }
    compare = { context, descriptor, sales in
      let found = try ask(context, descriptor)
      let expected = try expect(sales)
      return found == expected ? nil : ("\(found)", "\(expected)")
    }
  }

  /// Expects the result for the models that a descriptor selects.
  func check(_ context: ModelContext, _ descriptor: FetchDescriptor<Sale>, _ sales: [Sale]) throws {
    guard let difference = try compare(context, descriptor, sales) else { return }
    Issue.record("\(testDescription): \(difference.found) instead of \(difference.expected)")
  }

  static let all: [AggregateCase] = [
    counts, sums, averages, extremes, groups, paths, dates, results, orders, inMemory,
  ].flatMap(\.self)
}

/// A group that can be compared.
struct Found<Key: Hashable, Value: Equatable>: Equatable, CustomStringConvertible {
  var key: Key
  var value: Value

  init(_ key: Key, _ value: Value) {
    self.key = key
    self.value = value
  }

  var description: String { "\(key): \(value)" }
}

struct Pair<First: Hashable, Second: Hashable>: Hashable {
  var first: First
  var second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }
}

private struct Summary: Equatable {
  var count: Int
  var cost: Decimal
  var change: Double?
  var latest: Date?

  init(_ count: Int, _ cost: Decimal, _ change: Double?, _ latest: Date?) {
    self.count = count
    self.cost = cost
    self.change = change
    self.latest = latest
  }

  init(_ sales: [Sale]) {
    let changes = sales.compactMap(\.change)
    count = sales.count
    cost = sales.map(\.cost).reduce(0, +)
    change = changes.isEmpty ? nil : Double(changes.reduce(0, +)) / Double(changes.count)
    latest = sales.map(\.soldOn).max()
  }
}

extension AggregateCase {
  /// Counts by one key, in the order of the keys.
  fileprivate init<Key: Hashable & Sendable>(
    counting description: String, statements: Int? = 1, _ key: @escaping @Sendable (Sale) -> Key,
    inOrder precedes: @escaping @Sendable (Key, Key) -> Bool,
    ask: @escaping @Sendable (ModelContext, FetchDescriptor<Sale>) throws -> [(key: Key, value: Int)]
  ) {
    self.init("count by \(description)", statements: statements) { context, descriptor in
      try ask(context, descriptor).map { Found($0.key, $0.value) }
    } expect: { sales in
      Dictionary(grouping: sales, by: key).map { Found($0.key, $0.value.count) }.sorted { precedes($0.key, $1.key) }
    }
  }

  private static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static let berlin: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    return calendar
  }()

  private static let counts: [AggregateCase] = [
    count(), distinctIntegers(), distinctOptionalIntegers(), distinctTexts(), distinctEnums(), distinctDecimals(),
    distinctUUIDs(), distinctModels(), distinctIdentifiersOfRelatedModels(), distinctTextsOfRelatedModels(),
    distinctValuesOfAnExpression(),
  ]

  private static func count() -> AggregateCase {
    AggregateCase("count") {
      try $0.fetchAggregates(.count, matching: $1)
    } expect: {
      $0.count
    }
  }

  private static func distinctIntegers() -> AggregateCase {
    AggregateCase("distinct integers") {
      try $0.fetchAggregates(.distinctCount(of: \.units), matching: $1)
    } expect: {
      Set($0.map(\.units)).count
    }
  }

  private static func distinctOptionalIntegers() -> AggregateCase {
    AggregateCase("distinct optional integers") {
      try $0.fetchAggregates(.distinctCount(of: \.change), matching: $1)
    } expect: {
      Set($0.compactMap(\.change)).count
    }
  }

  private static func distinctTexts() -> AggregateCase {
    AggregateCase("distinct texts") {
      try $0.fetchAggregates(.distinctCount(of: \.title), matching: $1)
    } expect: {
      Set($0.map(\.title)).count
    }
  }

  private static func distinctEnums() -> AggregateCase {
    AggregateCase("distinct enums") {
      try $0.fetchAggregates(.distinctCount(of: \.oldPayment), matching: $1)
    } expect: {
      Set($0.compactMap(\.oldPayment)).count
    }
  }

  private static func distinctDecimals() -> AggregateCase {
    AggregateCase("distinct decimals") {
      try $0.fetchAggregates(.distinctCount(of: \.refund), matching: $1)
    } expect: {
      Set($0.compactMap(\.refund)).count
    }
  }

  private static func distinctUUIDs() -> AggregateCase {
    AggregateCase("distinct UUIDs") {
      try $0.fetchAggregates(.distinctCount(of: \.code), matching: $1)
    } expect: {
      Set($0.map(\.code)).count
    }
  }

  private static func distinctModels() -> AggregateCase {
    AggregateCase("distinct models") {
      try $0.fetchAggregates(.distinctCount(of: \.shop), matching: $1)
    } expect: {
      Set($0.compactMap { $0.shop?.persistentModelID }).count
    }
  }

  private static func distinctIdentifiersOfRelatedModels() -> AggregateCase {
    AggregateCase("distinct identifiers of related models") {
      try $0.fetchAggregates(.distinctCount(of: \.shop?.id), matching: $1)
    } expect: { sales in
      Set(sales.compactMap(\.shop?.id)).count
    }
  }

  private static func distinctTextsOfRelatedModels() -> AggregateCase {
    AggregateCase("distinct texts of related models") {
      try $0.fetchAggregates(.distinctCount(of: \.shop?.name), matching: $1)
    } expect: {
      Set($0.compactMap { $0.shop?.name }).count
    }
  }

  private static func distinctValuesOfAnExpression() -> AggregateCase {
    let expression = #Expression<Sale, Int> { $0.units % 3 }
    return AggregateCase("distinct values of an expression") {
      try $0.fetchAggregates(.distinctCount(of: expression), matching: $1)
    } expect: {
      Set($0.map { $0.units % 3 }).count
    }
  }

  private static let sums: [AggregateCase] = [
    sumOfInt(), sumOfInt2(), sumOfInt8(), sumOfInt16(), sumOfInt32(), sumOfInt64(), sumOfUInt8(), sumOfUInt16(),
    sumOfUInt32(), sumOfUInt(), sumOfUInt64(), sumOfDouble(), sumOfDouble2(), sumOfFloat(), sumOfDecimal(),
    sumOfDecimal2(), sumOfAField(), sumOfAFieldOfAnOptional(), sumOverAToOnePath(), sumOfAnExpression(),
    sumOfACondition(),
  ]

  private static func sumOfInt() -> AggregateCase {
    AggregateCase("sum of Int") {
      try $0.fetchAggregates(.sum(of: \.units), matching: $1)
    } expect: {
      $0.map(\.units).reduce(0, +)
    }
  }

  private static func sumOfInt2() -> AggregateCase {
    AggregateCase("sum of Int?") {
      try $0.fetchAggregates(.sum(of: \.change), matching: $1)
    } expect: {
      $0.compactMap(\.change).reduce(0, +)
    }
  }

  private static func sumOfInt8() -> AggregateCase {
    AggregateCase("sum of Int8") {
      try $0.fetchAggregates(.sum(of: \.tiny), matching: $1)
    } expect: {
      $0.map { Int($0.tiny) }.reduce(0, +)
    }
  }

  private static func sumOfInt16() -> AggregateCase {
    AggregateCase("sum of Int16") {
      try $0.fetchAggregates(.sum(of: \.short), matching: $1)
    } expect: {
      $0.map { Int($0.short) }.reduce(0, +)
    }
  }

  private static func sumOfInt32() -> AggregateCase {
    AggregateCase("sum of Int32?") {
      try $0.fetchAggregates(.sum(of: \.narrow), matching: $1)
    } expect: {
      $0.compactMap(\.narrow).map(Int.init).reduce(0, +)
    }
  }

  private static func sumOfInt64() -> AggregateCase {
    AggregateCase("sum of Int64") {
      try $0.fetchAggregates(.sum(of: \.wide), matching: $1)
    } expect: {
      $0.map(\.wide).reduce(0, +)
    }
  }

  private static func sumOfUInt8() -> AggregateCase {
    AggregateCase("sum of UInt8") {
      try $0.fetchAggregates(.sum(of: \.byte), matching: $1)
    } expect: {
      $0.map { Int($0.byte) }.reduce(0, +)
    }
  }

  private static func sumOfUInt16() -> AggregateCase {
    AggregateCase("sum of UInt16") {
      try $0.fetchAggregates(.sum(of: \.port), matching: $1)
    } expect: {
      $0.map { Int($0.port) }.reduce(0, +)
    }
  }

  private static func sumOfUInt32() -> AggregateCase {
    AggregateCase("sum of UInt32") {
      try $0.fetchAggregates(.sum(of: \.word), matching: $1)
    } expect: {
      $0.map { Int($0.word) }.reduce(0, +)
    }
  }

  private static func sumOfUInt() -> AggregateCase {
    AggregateCase("sum of UInt") {
      try $0.fetchAggregates(.sum(of: \.unsigned), matching: $1)
    } expect: {
      $0.map(\.unsigned).reduce(0, +)
    }
  }

  private static func sumOfUInt64() -> AggregateCase {
    AggregateCase("sum of UInt64?") {
      try $0.fetchAggregates(.sum(of: \.serial), matching: $1)
    } expect: {
      $0.compactMap(\.serial).reduce(0, +)
    }
  }

  private static func sumOfDouble() -> AggregateCase {
    AggregateCase("sum of Double") {
      try $0.fetchAggregates(.sum(of: \.price), matching: $1)
    } expect: {
      $0.map(\.price).reduce(0, +)
    }
  }

  private static func sumOfDouble2() -> AggregateCase {
    AggregateCase("sum of Double?") {
      try $0.fetchAggregates(.sum(of: \.discount), matching: $1)
    } expect: {
      $0.compactMap(\.discount).reduce(0, +)
    }
  }

  private static func sumOfFloat() -> AggregateCase {
    AggregateCase("sum of Float") {
      try $0.fetchAggregates(.sum(of: \.ratio), matching: $1)
    } expect: {
      $0.map { Double($0.ratio) }.reduce(0, +)
    }
  }

  private static func sumOfDecimal() -> AggregateCase {
    AggregateCase("sum of Decimal") {
      try $0.fetchAggregates(.sum(of: \.cost), matching: $1)
    } expect: {
      $0.map(\.cost).reduce(0, +)
    }
  }

  private static func sumOfDecimal2() -> AggregateCase {
    AggregateCase("sum of Decimal?") {
      try $0.fetchAggregates(.sum(of: \.refund), matching: $1)
    } expect: {
      $0.compactMap(\.refund).reduce(0, +)
    }
  }

  private static func sumOfAField() -> AggregateCase {
    AggregateCase("sum of a field") {
      try $0.fetchAggregates(.sum(of: \.parcel.width), matching: $1)
    } expect: {
      $0.map(\.parcel.width).reduce(0, +)
    }
  }

  private static func sumOfAFieldOfAnOptional() -> AggregateCase {
    AggregateCase("sum of a field of an optional") {
      try $0.fetchAggregates(.sum(of: \.wrapping?.height), matching: $1)
    } expect: {
      $0.compactMap { $0.wrapping?.height }.reduce(0, +)
    }
  }

  private static func sumOverAToOnePath() -> AggregateCase {
    AggregateCase("sum over a to-one path") {
      try $0.fetchAggregates(.sum(of: \.shop?.rent), matching: $1)
    } expect: {
      $0.compactMap { $0.shop?.rent }.reduce(0, +)
    }
  }

  private static func sumOfAnExpression() -> AggregateCase {
    let expression = #Expression<Sale, Double> { $0.price * 2 + 1 }
    return AggregateCase("sum of an expression") {
      try $0.fetchAggregates(.sum(of: expression), matching: $1)
    } expect: {
      $0.map { $0.price * 2 + 1 }.reduce(0, +)
    }
  }

  private static func sumOfACondition() -> AggregateCase {
    let expression = #Expression<Sale, Int> { $0.isPaid && $0.units > 3 ? $0.units : 0 }
    return AggregateCase("sum of a condition") {
      try $0.fetchAggregates(.sum(of: expression), matching: $1)
    } expect: {
      $0.map { $0.isPaid && $0.units > 3 ? $0.units : 0 }.reduce(0, +)
    }
  }

  private static let averages: [AggregateCase] = [
    averageOfInt(), averageOfUInt64(), averageOfDouble(), averageOfFloat(), averageOfDecimal(), averageOfDate(),
    averageOfAnExpression(),
  ]

  private static func averageOfInt() -> AggregateCase {
    AggregateCase("average of Int") {
      try $0.fetchAggregates(.average(of: \.units), matching: $1)
    } expect: {
      mean($0.map { Double($0.units) })
    }
  }

  private static func averageOfUInt64() -> AggregateCase {
    AggregateCase("average of UInt64?") {
      try $0.fetchAggregates(.average(of: \.serial), matching: $1)
    } expect: { sales in
      let serials = sales.compactMap(\.serial)
      return serials.isEmpty ? nil : Double(serials.reduce(0, +)) / Double(serials.count)
    }
  }

  private static func averageOfDouble() -> AggregateCase {
    AggregateCase("average of Double?") {
      try $0.fetchAggregates(.average(of: \.discount), matching: $1)
    } expect: {
      mean($0.compactMap(\.discount))
    }
  }

  private static func averageOfFloat() -> AggregateCase {
    AggregateCase("average of Float") {
      try $0.fetchAggregates(.average(of: \.ratio), matching: $1)
    } expect: {
      mean($0.map { Double($0.ratio) })
    }
  }

  private static func averageOfDecimal() -> AggregateCase {
    AggregateCase("average of Decimal") {
      try $0.fetchAggregates(.average(of: \.cost), matching: $1)
    } expect: { sales in
      sales.isEmpty ? nil : sales.map(\.cost).reduce(0, +) / Decimal(sales.count)
    }
  }

  private static func averageOfDate() -> AggregateCase {
    AggregateCase("average of Date?") {
      try $0.fetchAggregates(.average(of: \.shippedOn), matching: $1)
    } expect: {
      mean($0.compactMap { $0.shippedOn?.timeIntervalSinceReferenceDate }).map(
        Date.init(timeIntervalSinceReferenceDate:))
    }
  }

  private static func averageOfAnExpression() -> AggregateCase {
    let expression = #Expression<Sale, Int> { $0.units * $0.units }
    return AggregateCase("average of an expression") {
      try $0.fetchAggregates(.average(of: expression), matching: $1)
    } expect: {
      mean($0.map { Double($0.units * $0.units) })
    }
  }

  private static func mean(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  private static let extremes: [AggregateCase] = [
    minimumOfInt(), maximumOfInt(), maximumOfUInt64(), minimumOfDouble(), maximumOfDouble(), maximumOfFloat(),
    minimumOfDecimal(), maximumOfDecimal(), minimumOfDate(), maximumOfDate(), minimumOfString(), maximumOfString(),
    maximumOfUUID(), maximumOverALongerToOnePath(), minimumOfAnExpression(), maximumOfTheLengthOfAText(),
  ]

  private static func minimumOfInt() -> AggregateCase {
    AggregateCase("minimum of Int") {
      try $0.fetchAggregates(.minimum(of: \.units), matching: $1)
    } expect: {
      $0.map(\.units).min()
    }
  }

  private static func maximumOfInt() -> AggregateCase {
    AggregateCase("maximum of Int?") {
      try $0.fetchAggregates(.maximum(of: \.change), matching: $1)
    } expect: {
      $0.compactMap(\.change).max()
    }
  }

  private static func maximumOfUInt64() -> AggregateCase {
    AggregateCase("maximum of UInt64?") {
      try $0.fetchAggregates(.maximum(of: \.serial), matching: $1)
    } expect: {
      $0.compactMap(\.serial).max()
    }
  }

  private static func minimumOfDouble() -> AggregateCase {
    AggregateCase("minimum of Double") {
      try $0.fetchAggregates(.minimum(of: \.price), matching: $1)
    } expect: {
      $0.map(\.price).min()
    }
  }

  private static func maximumOfDouble() -> AggregateCase {
    AggregateCase("maximum of Double?") {
      try $0.fetchAggregates(.maximum(of: \.discount), matching: $1)
    } expect: {
      $0.compactMap(\.discount).max()
    }
  }

  private static func maximumOfFloat() -> AggregateCase {
    AggregateCase("maximum of Float") {
      try $0.fetchAggregates(.maximum(of: \.ratio), matching: $1)
    } expect: {
      $0.map(\.ratio).max()
    }
  }

  private static func minimumOfDecimal() -> AggregateCase {
    AggregateCase("minimum of Decimal") {
      try $0.fetchAggregates(.minimum(of: \.cost), matching: $1)
    } expect: {
      $0.map(\.cost).min()
    }
  }

  private static func maximumOfDecimal() -> AggregateCase {
    AggregateCase("maximum of Decimal?") {
      try $0.fetchAggregates(.maximum(of: \.refund), matching: $1)
    } expect: {
      $0.compactMap(\.refund).max()
    }
  }

  private static func minimumOfDate() -> AggregateCase {
    AggregateCase("minimum of Date") {
      try $0.fetchAggregates(.minimum(of: \.soldOn), matching: $1)
    } expect: {
      $0.map(\.soldOn).min()
    }
  }

  private static func maximumOfDate() -> AggregateCase {
    AggregateCase("maximum of Date?") {
      try $0.fetchAggregates(.maximum(of: \.shippedOn), matching: $1)
    } expect: {
      $0.compactMap(\.shippedOn).max()
    }
  }

  private static func minimumOfString() -> AggregateCase {
    AggregateCase("minimum of String") {
      try $0.fetchAggregates(.minimum(of: \.title), matching: $1)
    } expect: {
      $0.map(\.title).min()
    }
  }

  private static func maximumOfString() -> AggregateCase {
    AggregateCase("maximum of String?") {
      try $0.fetchAggregates(.maximum(of: \.note), matching: $1)
    } expect: {
      $0.compactMap(\.note).max()
    }
  }

  private static func maximumOfUUID() -> AggregateCase {
    AggregateCase("maximum of UUID") {
      try $0.fetchAggregates(.maximum(of: \.code), matching: $1)
    } expect: {
      $0.map(\.code).max()
    }
  }

  private static func maximumOverALongerToOnePath() -> AggregateCase {
    AggregateCase("maximum over a longer to-one path") {
      try $0.fetchAggregates(.maximum(of: \.shop?.region?.name), matching: $1)
    } expect: {
      $0.compactMap { $0.shop?.region?.name }.max()
    }
  }

  private static func minimumOfAnExpression() -> AggregateCase {
    let expression = #Expression<Sale, Int> { $0.units * -1 }
    return AggregateCase("minimum of an expression") {
      try $0.fetchAggregates(.minimum(of: expression), matching: $1)
    } expect: {
      $0.map { -$0.units }.min()
    }
  }

  private static func maximumOfTheLengthOfAText() -> AggregateCase {
    let expression = #Expression<Sale, Int?> { $0.note?.count }
    return AggregateCase("maximum of the length of a text") {
      try $0.fetchAggregates(.maximum(of: expression), matching: $1)
    } expect: {
      $0.compactMap { $0.note?.count }.max()
    }
  }

  private static func precedes<Key: Comparable>(_ left: Key, _ right: Key) -> Bool { left < right }

  private static func nilFirst<Key: Comparable>(_ left: Key?, _ right: Key?) -> Bool {
    guard let right else { return false }
    return left.map { $0 < right } ?? true
  }

  private static func savedFirst(_ left: PersistentIdentifier?, _ right: PersistentIdentifier?) -> Bool {
    guard let left, let right else { return left == nil && right != nil }
    if left.isTemporary != right.isTemporary { return right.isTemporary }
    return left.isTemporary ? left.id.key > right.id.key : left < right
  }

  private static let groups: [AggregateCase] = [
    int(), int2(), uint64(), decimal(), float(), string(), string2(), bool(), bool2(), anEnum(),
    anOptionalEnumWithAnOrder(),
  ]

  private static func int() -> AggregateCase {
    AggregateCase(counting: "Int", \.units, inOrder: precedes) {
      try $0.fetchGroups(by: \.units, computing: .count, matching: $1)
    }
  }

  private static func int2() -> AggregateCase {
    AggregateCase(counting: "Int?", \.change, inOrder: nilFirst) {
      try $0.fetchGroups(by: \.change, computing: .count, matching: $1)
    }
  }

  private static func uint64() -> AggregateCase {
    AggregateCase(counting: "UInt64?", \.serial, inOrder: nilFirst) {
      try $0.fetchGroups(by: \.serial, computing: .count, matching: $1)
    }
  }

  private static func decimal() -> AggregateCase {
    AggregateCase(counting: "Decimal?", \.refund, inOrder: nilFirst) {
      try $0.fetchGroups(by: \.refund, computing: .count, matching: $1)
    }
  }

  private static func float() -> AggregateCase {
    AggregateCase(counting: "Float", \.ratio, inOrder: precedes) {
      try $0.fetchGroups(by: \.ratio, computing: .count, matching: $1)
    }
  }

  private static func string() -> AggregateCase {
    AggregateCase(counting: "String", \.title, inOrder: precedes) {
      try $0.fetchGroups(by: \.title, computing: .count, matching: $1)
    }
  }

  private static func string2() -> AggregateCase {
    AggregateCase(counting: "String?", \.note, inOrder: nilFirst) {
      try $0.fetchGroups(by: \.note, computing: .count, matching: $1)
    }
  }

  private static func bool() -> AggregateCase {
    AggregateCase(
      counting: "Bool", \.isPaid, inOrder: { !$0 && $1 },
      ask: {
        try $0.fetchGroups(by: \.isPaid, computing: .count, matching: $1)
      })
  }

  private static func bool2() -> AggregateCase {
    @Sendable func rank(_ value: Bool?) -> Int { value.map { $0 ? 2 : 1 } ?? 0 }
    return AggregateCase(
      counting: "Bool?", \.isGift, inOrder: { rank($0) < rank($1) },
      ask: {
        try $0.fetchGroups(by: \.isGift, computing: .count, matching: $1)
      })
  }

  private static func anEnum() -> AggregateCase {
    AggregateCase(
      counting: "an enum", \.payment, inOrder: { $0.rawValue < $1.rawValue },
      ask: {
        try $0.fetchGroups(by: \.payment, computing: .count, matching: $1)
      })
  }

  private static func anOptionalEnumWithAnOrder() -> AggregateCase {
    AggregateCase(counting: "an optional enum with an order", \.oldGrade, inOrder: nilFirst) {
      try $0.fetchGroups(by: \.oldGrade, computing: .count, matching: $1)
    }
  }

  private static let paths: [AggregateCase] = [
    aField(), aFieldOfAnOptional(), aTextOfRelatedModels(), aLongerToOnePath(), relatedIdentifiers(),
    aLongerPathToAnIdentifier(),
    anExpression(), aCondition(),
  ]

  private static func aField() -> AggregateCase {
    AggregateCase(counting: "a field", \.parcel.width, inOrder: precedes) {
      try $0.fetchGroups(by: \.parcel.width, computing: .count, matching: $1)
    }
  }

  private static func aFieldOfAnOptional() -> AggregateCase {
    AggregateCase(
      counting: "a field of an optional", { $0.wrapping?.height }, inOrder: nilFirst,
      ask: {
        try $0.fetchGroups(by: \.wrapping?.height, computing: .count, matching: $1)
      })
  }

  private static func aTextOfRelatedModels() -> AggregateCase {
    AggregateCase(
      counting: "a text of related models", { $0.shop?.name }, inOrder: nilFirst,
      ask: {
        try $0.fetchGroups(by: \.shop?.name, computing: .count, matching: $1)
      })
  }

  private static func aLongerToOnePath() -> AggregateCase {
    AggregateCase(
      counting: "a longer to-one path", { $0.shop?.region?.name }, inOrder: nilFirst,
      ask: {
        try $0.fetchGroups(by: \.shop?.region?.name, computing: .count, matching: $1)
      })
  }

  private static func relatedIdentifiers() -> AggregateCase {
    AggregateCase(
      counting: "identifiers of related models", { $0.shop?.persistentModelID }, inOrder: savedFirst,
      ask: {
        try $0.fetchGroups(by: \.shop?.persistentModelID, computing: .count, matching: $1)
      })
  }

  private static func aLongerPathToAnIdentifier() -> AggregateCase {
    AggregateCase(
      counting: "identifiers at the end of a longer path", { $0.shop?.region?.id }, inOrder: savedFirst,
      ask: {
        try $0.fetchGroups(by: \.shop?.region?.id, computing: .count, matching: $1)
      })
  }

  private static func anExpression() -> AggregateCase {
    AggregateCase(
      counting: "an expression", { $0.units % 3 }, inOrder: precedes,
      ask: {
        try $0.fetchGroups(by: .value(of: #Expression<Sale, Int> { $0.units % 3 }), computing: .count, matching: $1)
      })
  }

  private static func aCondition() -> AggregateCase {
    AggregateCase(
      counting: "a condition", { $0.units > 3 }, inOrder: { !$0 && $1 },
      ask: {
        try $0.fetchGroups(by: .value(of: #Expression<Sale, Bool> { $0.units > 3 }), computing: .count, matching: $1)
      })
  }

  private static let dates: [AggregateCase] = [
    month(), dayInBerlin(), weekday(), hour(),
  ]

  private static func month() -> AggregateCase {
    AggregateCase(
      counting: "month", { utc.dateInterval(of: .month, for: $0.soldOn)?.start ?? .distantPast }, inOrder: precedes,
      ask: {
        try $0.fetchGroups(by: .start(of: .month, containing: \.soldOn, in: utc), computing: .count, matching: $1)
      })
  }

  private static func dayInBerlin() -> AggregateCase {
    AggregateCase(
      counting: "day in Berlin", { $0.shippedOn.flatMap { berlin.dateInterval(of: .day, for: $0)?.start } },
      inOrder: nilFirst,
      ask: {
        try $0.fetchGroups(by: .start(of: .day, containing: \.shippedOn, in: berlin), computing: .count, matching: $1)
      })
  }

  private static func weekday() -> AggregateCase {
    AggregateCase(
      counting: "weekday", { berlin.component(.weekday, from: $0.soldOn) }, inOrder: precedes,
      ask: {
        try $0.fetchGroups(by: .component(.weekday, from: \.soldOn, in: berlin), computing: .count, matching: $1)
      })
  }

  private static func hour() -> AggregateCase {
    AggregateCase(
      counting: "hour", { $0.shippedOn.map { utc.component(.hour, from: $0) } }, inOrder: nilFirst,
      ask: {
        try $0.fetchGroups(by: .component(.hour, from: \.shippedOn, in: utc), computing: .count, matching: $1)
      })
  }

  private static let results: [AggregateCase] = [
    models(), twoKeysFourAggregates(), havingWithAnOrderAndLimits(),
  ]

  private static func models() -> AggregateCase {
    AggregateCase("models", statements: 2) { context, descriptor in
      try context.fetchGroups(by: \.shop, computing: .sum(of: \.units), matching: descriptor)
        .map { Found($0.key?.persistentModelID, $0.value) }
    } expect: { sales in
      let groups = Dictionary(grouping: sales) { $0.shop?.persistentModelID }
      let found = groups.map { shop, sales in Found(shop, sales.map(\.units).reduce(0, +)) }
      return found.sorted { inIdentifierOrder($0.key, $1.key) }
    }
  }

  private static func twoKeysFourAggregates() -> AggregateCase {
    AggregateCase("two keys, four aggregates") { context, descriptor in
      try context.fetchGroups(
        by: \.payment, \.shop?.name, computing: .count, .sum(of: \.cost), .average(of: \.change),
        .maximum(of: \.soldOn),
        matching: descriptor
      )
      .map { Found(Pair($0.key.0, $0.key.1), Summary($0.values.0, $0.values.1, $0.values.2, $0.values.3)) }
    } expect: { sales in
      let groups = Dictionary(grouping: sales) { Pair($0.payment, $0.shop?.name) }
      let found = groups.map { Found($0, Summary($1)) }
      return found.sorted { left, right in
        if left.key.first == right.key.first { return nilFirst(left.key.second, right.key.second) }
        return left.key.first.rawValue < right.key.first.rawValue
      }
    }
  }

  private static func havingWithAnOrderAndLimits() -> AggregateCase {
    AggregateCase("having, with an order and limits") { context, descriptor in
      try context.fetchGroups(
        by: \.units, computing: .count, .sum(of: \.cost), matching: descriptor,
        having: #Predicate<Int, Decimal> { count, cost in count > 4 && cost > -1000 },
        sortBy: [.init(.count, order: .reverse), .init(\.units, order: .reverse)], limit: 5, offset: 1
      )
      .map { Found($0.key, Pair($0.values.0, $0.values.1)) }
    } expect: { sales in
      let all = Dictionary(grouping: sales, by: \.units).map { units, sales in
        Found(units, Pair(sales.count, sales.map(\.cost).reduce(Decimal.zero, +)))
      }
      let groups = all.filter { $0.value.first > 4 && $0.value.second > -1000 }
      let sorted = groups.sorted { ($0.value.first, $0.key) > ($1.value.first, $1.key) }
      return Array(sorted.dropFirst().prefix(5))
    }
  }

  private static let orders: [AggregateCase] = [
    anOrderByAnotherAggregate(), aReverseOrderWithNil(), havingOfAnOptional(),
  ]

  private static func anOrderByAnotherAggregate() -> AggregateCase {
    AggregateCase("an order by another aggregate") { context, descriptor in
      try context.fetchGroups(
        by: \.change, computing: .count, matching: descriptor, sortBy: [.init(.maximum(of: \.narrow), order: .reverse)]
      )
      .map { Found($0.key, $0.value) }
    } expect: { sales in
      Dictionary(grouping: sales, by: \.change)
        .sorted { left, right in
          let (first, second) = (left.value.compactMap(\.narrow).max(), right.value.compactMap(\.narrow).max())
          return first == second ? nilFirst(left.key, right.key) : nilFirst(second, first)
        }
        .map { Found($0.key, $0.value.count) }
    }
  }

  private static func aReverseOrderWithNil() -> AggregateCase {
    AggregateCase("a reverse order with nil") { context, descriptor in
      try context.fetchGroups(
        by: \.note, computing: .count, matching: descriptor, sortBy: [.init(\.note, order: .reverse)]
      ).map { Found($0.key, $0.value) }
    } expect: { sales in
      Dictionary(grouping: sales, by: \.note).map { Found($0.key, $0.value.count) }
        .sorted { nilFirst($1.key, $0.key) }
    }
  }

  private static func havingOfAnOptional() -> AggregateCase {
    AggregateCase("having of an optional") { context, descriptor -> [Found<String, String?>] in
      let hasText = #Predicate<String?> { $0 != nil && $0 != "" }
      let groups: [(key: String, value: String?)] = try context.fetchGroups(
        by: \.title, computing: .minimum(of: \.note), matching: descriptor, having: hasText)
      return groups.map { Found($0.key, $0.value) }
    } expect: { sales -> [Found<String, String?>] in
      let groups: [String: [Sale]] = Dictionary(grouping: sales, by: \.title)
      let all = groups.map { title, sales -> Found<String, String?> in Found(title, sales.compactMap(\.note).min()) }
      let found = all.filter { group -> Bool in (group.value ?? "").isEmpty == false }
      return found.sorted { $0.key < $1.key }
    }
  }

  private static func inIdentifierOrder(_ left: PersistentIdentifier?, _ right: PersistentIdentifier?) -> Bool {
    guard let left, let right else { return left == nil && right != nil }
    guard left.isTemporary == right.isTemporary else { return right.isTemporary }
    // Keys of unsaved models count downwards.
    return left.isTemporary ? left.id.key > right.id.key : left < right
  }

  private static let inMemory: [AggregateCase] = [
    distinctEncodedValues(), distinctComposites(), minimumOfAnEnumWithAnOrder(), sumOfAQuotient(),
    groupsOfComposites(),
  ]

  private static func distinctEncodedValues() -> AggregateCase {
    AggregateCase("distinct encoded values", statements: nil) {
      try $0.fetchAggregates(.distinctCount(of: \.carrier), matching: $1)
    } expect: {
      Set($0.map(\.carrier)).count
    }
  }

  private static func distinctComposites() -> AggregateCase {
    AggregateCase("distinct composites", statements: nil) {
      try $0.fetchAggregates(.distinctCount(of: \.parcel), matching: $1)
    } expect: {
      Set($0.map(\.parcel)).count
    }
  }

  private static func minimumOfAnEnumWithAnOrder() -> AggregateCase {
    AggregateCase("minimum of an enum with an order", statements: nil) {
      try $0.fetchAggregates(.minimum(of: \.grade), matching: $1)
    } expect: {
      $0.map(\.grade).min()
    }
  }

  private static func sumOfAQuotient() -> AggregateCase {
    let expression = #Expression<Sale, Double> { 8 / ($0.price * 0 + 2) }
    return AggregateCase("sum of a quotient", statements: nil) {
      try $0.fetchAggregates(.sum(of: expression), matching: $1)
    } expect: {
      Double($0.count * 4)
    }
  }

  private static func groupsOfComposites() -> AggregateCase {
    AggregateCase("groups of composites", statements: nil) { context, descriptor in
      Set(
        try context.fetchGroups(by: \.wrapping, computing: .count, matching: descriptor)
          .map { "\(String(describing: $0.key)) \($0.value)" })
    } expect: { sales in
      Set(Dictionary(grouping: sales, by: \.wrapping).map { "\(String(describing: $0.key)) \($0.value.count)" })
    }
  }
}
