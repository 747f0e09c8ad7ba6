import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Distinct values of a property")
struct DistinctValueTests {
  private let log = StatementLog()
  private let container: ModelContainer

  init() throws {
    container = try SaleSamples.makeContainer(log)
  }

  /// Compares the result of the store with that of memory, and with all values in a set.
  private func check<Value: Hashable>(_ keyPath: KeyPath<Sale, Value>) throws {
    let context = container.freshContext()
    var values: [Value] = []
    let queries = try log.queries { values = try context.fetchDistinct(of: keyPath) }
    let models = try context.fetch(FetchDescriptor<Sale>())
    #expect(Set(values) == Set(models.map { $0[keyPath: keyPath] }))
    #expect(values.count == Set(values).count)
    #expect(queries.count == 1)
    #expect(try context.fetchDistinct(of: keyPath, order: .reverse) == values.reversed())
    // The same in memory, over unsaved changes.
    let changed = container.freshContext()
    var dice = Dice(seed: 7)
    let sales = try changed.fetch(FetchDescriptor<Sale>())
    for sale in sales.prefix(5) { SaleSamples.change(sale, &dice) }
    for sale in sales.suffix(5) { changed.delete(sale) }
    let sale = Sale()
    changed.insert(sale)
    SaleSamples.change(sale, &dice)
    let pending = try changed.fetchDistinct(of: keyPath)
    #expect(Set(pending) == Set(try changed.fetch(FetchDescriptor<Sale>()).map { $0[keyPath: keyPath] }))
    try changed.save()
    #expect(try container.freshContext().fetchDistinct(of: keyPath) == pending)
  }

  @Test("Distinct values are ordered and take one statement, and are the same in memory")
  func kinds() throws {
    try check(\.units)
    try check(\.change)
    try check(\.serial)
    try check(\.cost)
    try check(\.shippedOn)
    try check(\.title)
    try check(\.note)
    try check(\.isGift)
    try check(\.payment)
    try check(\.oldPayment)
    try check(\.grade)
    try check(\.code)
    try check(\.shop?.name)
  }

  @Test("The descriptor's predicate and limit select models, and the limit parameter selects values")
  func selection() throws {
    let context = container.freshContext()
    let descriptor = FetchDescriptor<Sale>(predicate: #Predicate { $0.units > 0 })
    let units = try context.fetchDistinct(of: \.units, matching: descriptor)
    #expect(units == Array(Set(try context.fetch(descriptor).map(\.units))).sorted())
    #expect(try context.fetchDistinct(of: \.units, matching: descriptor, limit: 3) == Array(units.prefix(3)))
    #expect(try context.fetchDistinct(of: \.units, matching: descriptor, order: .reverse, limit: 1) == [units.last])
    var few = FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.units)])
    few.fetchLimit = 2
    let first = try context.fetch(few).map(\.units)
    #expect(try context.fetchDistinct(of: \.units, matching: few) == Array(Set(first)).sorted())
    let none = FetchDescriptor<Sale>(predicate: #Predicate { $0.units > 1000 })
    #expect(try context.fetchDistinct(of: \.note, matching: none).isEmpty)
  }

  @Test("Structs, encoded values and models have distinct values too")
  func others() throws {
    let context = container.freshContext()
    let sales = try context.fetch(FetchDescriptor<Sale>())
    #expect(Set(try context.fetchDistinct(of: \Sale.parcel)) == Set(sales.map(\.parcel)))
    #expect(Set(try context.fetchDistinct(of: \Sale.wrapping)) == Set(sales.map(\.wrapping)))
    #expect(Set(try context.fetchDistinct(of: \Sale.carrier)) == Set(sales.map(\.carrier)))
    let shops = try context.fetchDistinct(of: \Sale.shop)
    #expect(Set(shops.map { $0?.persistentModelID }) == Set(sales.map { $0.shop?.persistentModelID }))
    #expect(shops.first == .some(nil))
  }

  @Test("A key path without a single stored value is refused")
  func refusals() throws {
    let context = container.freshContext()
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetchDistinct(of: \Sale.isThere) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetchDistinct(of: \Sale.visitors) }
    #expect(throws: SwiftDataError.invalidFetchDescriptor) { try context.fetchDistinct(of: \Sale.units, limit: -1) }
  }
}
