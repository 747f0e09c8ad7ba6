import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Aggregates")
struct AggregateTests {
  @Test("Without models a sum is zero, an average or extreme is nil, and there are no groups")
  func nothing() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    let none = FetchDescriptor<Sale>(predicate: #Predicate { $0.units > 1_000 })
    let (count, sum, cost, mean, first) = try context.fetchAggregates(
      .count, .sum(of: \.price), .sum(of: \.refund), .average(of: \.units), .minimum(of: \.title), matching: none)
    #expect(count == 0)
    #expect(sum == 0)
    #expect(cost == 0)
    #expect(mean == nil)
    #expect(first == nil)
    #expect(try context.fetchGroups(by: \.title, computing: .count, matching: none).isEmpty)
  }

  @Test("NaN makes sums and averages NaN, is ignored by extremes and forms one group", arguments: [false, true])
  func notANumber(inMemory: Bool) throws {
    let context = try Fleet.shared.get().container.freshContext()
    var descriptor = FetchDescriptor<Voyage>()
    if inMemory { descriptor.predicate = #Predicate { $0.label != "" } }
    #expect(try context.fetchAggregates(.sum(of: \.speed), matching: descriptor).isNaN)
    #expect(try context.fetchAggregates(.average(of: \.fuel), matching: descriptor)?.isNaN == true)
    let doubled = #Expression<Voyage, Double> { $0.speed * 2 }
    #expect(try context.fetchAggregates(.sum(of: doubled), matching: descriptor).isNaN)
    #expect(try context.fetchAggregates(.minimum(of: \.speed), matching: descriptor) == -.infinity)
    #expect(try context.fetchAggregates(.maximum(of: \.speed), matching: descriptor) == .infinity)
    #expect(try context.fetchAggregates(.maximum(of: \.ratio), matching: descriptor) == .infinity)
    let groups = try context.fetchGroups(by: \.ratio, computing: .count, matching: descriptor)
    #expect(groups.map(\.value) == [6, 6, 6, 6, 6])
    #expect(groups.count { $0.key.isNaN } == 1)
    #expect(groups.last?.key.isNaN == true)
    #expect(try context.fetchAggregates(.distinctCount(of: \.ratio), matching: descriptor) == 5)
    let isSmall = #Predicate<Voyage> { $0.speed < 100 && $0.speed > -100 }
    let isSmallInMemory = #Predicate<Voyage> { $0.speed < 100 && $0.speed > -100 && $0.label != "" }
    let isInvalid = #Predicate<Voyage> { $0.speed != $0.speed }
    let isInvalidInMemory = #Predicate<Voyage> { $0.speed != $0.speed && $0.label != "" }
    let finite = FetchDescriptor(predicate: inMemory ? isSmallInMemory : isSmall)
    #expect(try context.fetchAggregates(.sum(of: \.speed), matching: finite) == 0.75)
    let invalid = FetchDescriptor(predicate: inMemory ? isInvalidInMemory : isInvalid)
    #expect(try context.fetchCount(invalid) == 3)
    #expect(try context.fetchAggregates(.minimum(of: \.speed), matching: invalid) == nil)
    #expect(try context.fetchAggregates(.maximum(of: \.speed), matching: invalid) == nil)
  }

  @Test("An integer overflow is an error", arguments: [false, true])
  func overflow(inMemory: Bool) throws {
    let context = try SaleSamples.makeContainer().freshContext()
    for sale in try context.fetch(FetchDescriptor<Sale>(sortBy: [SortDescriptor(\.units)])).prefix(2) {
      sale.wide = .max
      sale.serial = .max
    }
    try context.save()
    var descriptor = FetchDescriptor<Sale>()
    if inMemory { descriptor.predicate = #Predicate { $0.isThere } }
    for (property, body) in [
      ("wide", { _ = try context.fetchAggregates(.sum(of: \.wide), matching: descriptor) }),
      ("serial", { _ = try context.fetchGroups(by: \.isPaid, computing: .sum(of: \.serial), matching: descriptor) }),
    ] as [(String, () throws -> Void)] {
      let error = try #require(throws: SwiftDataError.aggregateOverflow) { try body() }
      #expect(error.details?.entity == "Sale")
      #expect(error.details?.property == property)
    }
    #expect(try context.fetchAggregates(.average(of: \.wide), matching: descriptor) ?? 0 > 1e16)
    #expect(try context.fetchAggregates(.maximum(of: \.serial), matching: descriptor) == .max)
  }

  @Test("Groups by models contain registered objects and register new ones")
  func modelKeys() throws {
    let container = try SaleSamples.makeContainer()
    let context = container.freshContext()
    let known = try #require(try context.fetch(FetchDescriptor<Outlet>()).last)
    let groups = try context.fetchGroups(by: \Sale.shop, computing: .count)
    #expect(groups.contains { $0.key === known })
    #expect(groups.filter { $0.key != nil }.count == 5)
    #expect(groups.first?.key == nil)
    #expect(groups.map(\.value).reduce(0, +) == 200)
    let fresh = Outlet("new")
    context.insert(fresh)
    for sale in try context.fetch(FetchDescriptor<Sale>()) where sale.shop == nil { sale.shop = fresh }
    let changed = try context.fetchGroups(by: \Sale.shop, computing: .count)
    #expect(changed.last?.key === fresh)
    #expect(changed.last?.value == groups.first?.value)
  }

  @Test(
    "Groups by date use the calendar and its time zone, at any date",
    arguments: [-1e300, -7e10, 0, 6e8, 5e12, 1e300])
  func dates(time: Double) throws {
    let context = try SaleSamples.makeContainer().freshContext()
    try context.delete(model: Sale.self)
    let sale = Sale()
    context.insert(sale)
    sale.soldOn = Date(timeIntervalSinceReferenceDate: time)
    try context.save()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
    for component in [Calendar.Component.year, .quarter, .month, .weekOfYear, .day, .hour] {
      let groups = try context.fetchGroups(
        by: .start(of: component, containing: \Sale.soldOn, in: calendar),
        .component(component, from: \Sale.soldOn, in: calendar), computing: .count)
      #expect(groups.count == 1)
      let (start, number) = try #require(groups.first).key
      guard time.magnitude < 1e12 else { continue }
      #expect(start == calendar.dateInterval(of: component, for: sale.soldOn)?.start)
      #expect(number == calendar.component(component, from: sale.soldOn))
    }
  }

  // MARK: Statements

  private func plan<Model: PersistentModel>(_ query: AggregateQuery<Model>, _ context: ModelContext) throws -> [String]
  {
    let session = try #require(try context.graph.requireBinding(for: Model.self).session as? RelationalSession)
    let select = try AggregateStatement(
      query, over: RelationalQuery(query.descriptor, session.store, for: .rows), session.store
    ).select
    let rendered = session.store.database.dialect.render(select)
    return try session.store.read { connection in
      var plan: [String] = []
      try connection.forEachRow("EXPLAIN QUERY PLAN " + rendered.sql, rendered.parameters) { plan.append($0.text(3)) }
      return plan
    }
  }

  @Test("Extremes, groups and predicates use indexes")
  func indexes() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    func column<Value>(_ descriptor: AggregateDescriptor<Sale, Value>) -> AggregateColumn { descriptor.column }
    let online = FetchDescriptor<Sale>()
    let largest = try plan(AggregateQuery(online, columns: [column(.maximum(of: \.units))]), context)
    #expect(largest.first?.hasPrefix("SEARCH t0 USING COVERING INDEX") == true, "\(largest)")
    let groups = try plan(
      AggregateQuery(online, keys: [AggregateOperand(\Sale.payment)], columns: [column(.count)]), context)
    #expect(groups.count == 1, "\(groups)")
    #expect(groups.first?.hasPrefix("SCAN t0 USING COVERING INDEX") == true, "\(groups)")
    let condition = FetchDescriptor<Sale>(predicate: #Predicate { $0.units == 3 })
    let some = try plan(AggregateQuery(condition, columns: [column(.sum(of: \.price))]), context)
    #expect(some.first?.hasPrefix("SEARCH t0 USING INDEX") == true, "\(some)")
  }

  @Test("An aggregate's SQL is readable")
  func sql() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    let session = try #require(try context.graph.requireBinding(for: Sale.self).session as? RelationalSession)
    let query = try AggregateQuery<Sale>(
      FetchDescriptor(predicate: #Predicate { $0.isPaid }), keys: [AggregateOperand(\Sale.payment)],
      columns: [
        AggregateDescriptor<Sale, Int>.count.column, AggregateDescriptor<Sale, Double>.sum(of: \.price).column,
      ],
      having: GroupCondition(#Predicate<Int, Double> { count, _ in count > 3 }),
      sortBy: [GroupSortDescriptor(.count, order: .reverse)], limit: 2)
    let statement = try AggregateStatement(
      query, over: RelationalQuery(query.descriptor, session.store, for: .rows), session.store)
    #expect(statement.isFinished)
    #expect(
      session.store.database.dialect.render(statement.select).sql == """
        SELECT "t0"."payment", count(*), swiftdata_sum_real("t0"."price") FROM "Sale" AS "t0" \
        WHERE "t0"."isPaid" = ? GROUP BY "t0"."payment" HAVING count(*) > ? \
        ORDER BY count(*) DESC NULLS LAST, "t0"."payment" NULLS FIRST LIMIT ?
        """)
  }

  // MARK: Invalid input

  @Test("An aggregate of anything but a single persisted value fails, and the error has the key path")
  func badKeyPaths() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    let attempts: [(String, () throws -> Void)] = [
      ("a computed property", { _ = try context.fetchAggregates(.distinctCount(of: \Sale.isThere)) }),
      ("a transient property", { _ = try context.fetchAggregates(.distinctCount(of: \Sale.isSelected)) }),
      ("a to-many", { _ = try context.fetchAggregates(.distinctCount(of: \Sale.visitors)) }),
      ("the count of a to-many", { _ = try context.fetchAggregates(.sum(of: \Sale.visitors.count)) }),
      ("a computed key", { _ = try context.fetchGroups(by: \Sale.isThere, computing: .count) }),
      ("a computed second key", { _ = try context.fetchGroups(by: \Sale.units, \.isThere, computing: .count) }),
    ]
    for (name, attempt) in attempts {
      let error = try #require(throws: SwiftDataError.self, "\(name)") { try attempt() }
      #expect(error == .unsupportedKeyPath, "\(name)")
      #expect(error.details?.entity == "Sale")
      let property =
        switch name {
        case "a to-many": "visitors"
        case "the count of a to-many": "visitors.<computed Int>"
        default: "<computed Bool>"
        }
      #expect(error.details?.property == property, "\(error)")
    }
  }

  @Test("An aggregate of a model outside the schema fails, and the error has its name")
  func unknownEntity() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    let error = try #require(throws: SwiftDataError.self) { try context.fetchAggregates(.sum(of: \Book.pages)) }
    #expect(error == .unknownSchema)
    #expect(error.details?.entity == "Book")
  }

  @Test("A negative limit or offset of groups is refused")
  func negativeLimits() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    for (limit, offset) in [(-1, nil), (nil, -1)] as [(Int?, Int?)] {
      let error = try #require(throws: SwiftDataError.invalidFetchDescriptor) {
        try context.fetchGroups(by: \Sale.title, computing: .count, limit: limit, offset: offset)
      }
      #expect(error.details?.property == "title")
      #expect(error.details?.message == "\(limit == nil ? "offset" : "limit") must not be negative (was -1).")
    }
    #expect(try context.fetchGroups(by: \Sale.title, computing: .count, limit: 0).isEmpty)
  }

  @Test("Groups can only be ordered by their keys or by aggregates")
  func foreignOrder() throws {
    let context = try SaleSamples.makeContainer().freshContext()
    for (order, name) in [(.init(\.units), "units"), (.init(\.shop?.name), "shop.name")]
      as [(GroupSortDescriptor<Sale>, String)]
    {
      let error = try #require(throws: SwiftDataError.self) {
        try context.fetchGroups(by: \Sale.title, computing: .count, sortBy: [order])
      }
      #expect(error == .unsupportedSortDescriptor)
      #expect(error.details?.property == name)
      #expect(error.details?.message?.contains(name) == true)
    }
  }
}
