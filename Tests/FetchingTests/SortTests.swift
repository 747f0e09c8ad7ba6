import Foundation
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Sort descriptors")
struct SortTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let descriptors: [SortDescriptor<Voyage>]
    let sql: [String]?

    init(_ description: String, _ descriptors: SortDescriptor<Voyage>..., sql: [String]?) {
      testDescription = description
      self.descriptors = descriptors
      self.sql = sql
    }
  }

  static let examples: [Example] = [
    .init("an integer", .init(\.distance), sql: [#""t0"."distance""#]),
    .init("an integer, reversed", .init(\.distance, order: .reverse), sql: [#""t0"."distance" DESC"#]),
    .init("an optional", .init(\.crew), sql: [#""t0"."crew" NULLS FIRST"#]),
    .init("an optional, reversed", .init(\.crew, order: .reverse), sql: [#""t0"."crew" DESC NULLS LAST"#]),
    .init("UInt64", .init(\.serial), sql: [#""t0"."serial""#]),
    .init("a decimal", .init(\.price), sql: [#""t0"."price""#]),
    .init("a UUID", .init(\.code, order: .reverse), sql: [#""t0"."code" DESC"#]),
    .init(
      "two dates", .init(\.arrival), .init(\.departure, order: .reverse),
      sql: [#""t0"."arrival" NULLS FIRST"#, #""t0"."departure" DESC"#]),
    .init("a field of a composite", .init(\.berth.number), sql: [#""t0"."berth_number""#]),
    .init(
      "a field of an optional composite", .init(\.lastBerth?.number),
      sql: [#""t0"."lastBerth_number" NULLS FIRST"#]),
    .init(
      "a to-one path", .init(\.captain?.age),
      sql: [#"(SELECT "t1"."age" FROM "Captain" AS "t1" WHERE "t1"."_id" = "t0"."captain_id") NULLS FIRST"#]),
    .init(
      "a longer to-one path, reversed", .init(\.captain?.country?.name, order: .reverse),
      sql: [
        #"""
        STANDARD((SELECT "t2"."name" FROM "Country" AS "t2" WHERE "t2"."_id" = (SELECT "t1"."country_id" FROM "Captain" \#
        AS "t1" WHERE "t1"."_id" = "t0"."captain_id"))) DESC NULLS LAST
        """#
      ]),
    .init(
      "the identifier of a related model", .init(\.captain?.persistentModelID), .init(\.captain?.country?.id),
      sql: [
        #""t0"."captain_id" NULLS FIRST"#,
        #"""
        (SELECT "t1"."country_id" FROM "Captain" AS "t1" WHERE "t1"."_id" = "t0"."captain_id") NULLS FIRST
        """#,
      ]),
    .init(
      "the identifier", .init(\.persistentModelID, order: .reverse),
      sql: [#""t0"."_type" DESC"#, #""t0"."_id" DESC"#]),
    .init(
      "text in localized standard order", .init(\.name, order: .reverse),
      sql: [#"STANDARD("t0"."name") DESC"#]),
    .init(
      "optional text in localized standard order", .init(\.note),
      sql: [#"STANDARD("t0"."note") NULLS FIRST"#]),
    .init(
      "text in localized order", .init(\.name, comparator: .localized),
      sql: [#"LOCALIZED("t0"."name")"#]),
    .init(
      "an enum that lists its cases", .init(\.status),
      sql: [
        #"CASE WHEN "t0"."status" = ? THEN ? WHEN "t0"."status" = ? THEN ? WHEN "t0"."status" = ? THEN ? ELSE ? END NULLS FIRST"#
      ]),
    .init(
      "an enum's own order, and another value", .init(\.category), .init(\.distance),
      sql: [
        #"CASE WHEN "t0"."category" = ? THEN ? WHEN "t0"."category" = ? THEN ? ELSE ? END NULLS FIRST"#,
        #""t0"."distance""#,
      ]),
    .init(
      "raw values", .init(\.category.rawValue), .init(\.status.rawValue, order: .reverse),
      .init(\.previousStatus?.rawValue, comparator: .localized),
      sql: [
        #""t0"."category""#, #"STANDARD("t0"."status") DESC"#,
        #"LOCALIZED("t0"."previousStatus") NULLS FIRST"#,
      ]),
    .init(
      "a property of an enum's cases", .init(\.status.rank), .init(\.previousStatus?.rank, order: .reverse),
      sql: [
        #"CASE WHEN "t0"."status" = ? THEN ? WHEN "t0"."status" = ? THEN ? WHEN "t0"."status" = ? THEN ? ELSE ? END NULLS FIRST"#,
        #"CASE WHEN "t0"."previousStatus" = ? THEN ? WHEN "t0"."previousStatus" = ? THEN ? WHEN "t0"."previousStatus" = ? THEN ? ELSE ? END DESC NULLS LAST"#,
      ]),
    .init("a number of a text", .init(\.name.count), sql: nil),
    .init("a computed property", .init(\.label), sql: nil),
  ]

  @Test("Sort descriptors have the expected translation, or none", arguments: examples)
  func translation(example: Example) throws {
    let (layout, voyages) = try FleetLayout.make()
    let translated = try SortTranslator(layout: layout, entity: voyages).translate(example.descriptors)
    #expect((translated.untranslated == nil) == (example.sql != nil))
    guard let expected = example.sql else { return }
    let sql = translated.orderings.map { ordering in
      let direction = ordering.isDescending ? " DESC" : ""
      let nulls = ordering.nulls.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? ""
      let sql = SQLiteDialect().render(ordering.expression).sql + direction + nulls
      return sql.replacing(layout.sorting.localizedStandard.name, with: "STANDARD")
        .replacing(layout.sorting.localized.name, with: "LOCALIZED")
    }
    #expect(sql == expected)
  }

  @Test("Fetched models have the order of the descriptors in Swift", arguments: examples)
  func order(example: Example) throws {
    let context = ModelContext(try Fleet.shared.get().container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    let expected = all.enumerated().sorted { left, right in
      for descriptor in example.descriptors {
        switch descriptor.compare(left.element, right.element) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return left.offset < right.offset
    }
    let fetched = try context.fetch(FetchDescriptor(sortBy: example.descriptors))
    #expect(fetched.map(\.persistentModelID) == expected.map(\.element.persistentModelID))
  }

  @Test("A sort descriptor with a key path to text uses the localized standard order")
  func localizedOrder() throws {
    let context = ModelContext(
      try ModelContainer(for: Country.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    for name in ["é", "b", "A", "a", "10", "9", "Z", "e"] { context.insert(Country(name)) }
    try context.save()
    func names(_ sort: SortDescriptor<Country>) throws -> [String] {
      try context.fetch(FetchDescriptor(sortBy: [sort])).map(\.name)
    }
    #expect(try names(SortDescriptor(\.name)) == ["9", "10", "a", "A", "b", "e", "é", "Z"])
    #expect(try names(SortDescriptor(\.name, comparator: .localizedStandard)) == names(SortDescriptor(\.name)))
    #expect(try names(SortDescriptor(\.name, comparator: .lexical)) == ["10", "9", "A", "Z", "a", "b", "e", "é"])
    func names(by comparator: String.StandardComparator) throws -> [String] {
      try names(SortDescriptor(\.name, comparator: comparator))
    }
    #expect(try names(by: .localizedStandard) == names(SortDescriptor(\.name)))
    #expect(try names(by: .localized) == ["10", "9", "a", "A", "b", "e", "é", "Z"])
    #expect(try names(by: .lexical) == ["10", "9", "A", "Z", "a", "b", "e", "é"])
    #expect(
      try names(by: .init(.localizedStandard, order: .reverse)) == names(SortDescriptor(\.name, order: .reverse)))
  }

  @Test("Sort descriptors with the same order are equal, and the database applies them")
  func equalDescriptors() throws {
    #expect(SortDescriptor(\Voyage.name) == SortDescriptor(\Voyage.name, comparator: .localizedStandard))
    #expect(SortDescriptor(\Voyage.note) == SortDescriptor(\Voyage.note, comparator: .localizedStandard))
    #expect(SortDescriptor(\Voyage.name) != SortDescriptor(\Voyage.name, comparator: .localized))
    #expect(SortDescriptor(\Voyage.name) != SortDescriptor(\Voyage.name, comparator: .lexical))
    let reversed = String.StandardComparator(.localizedStandard, order: .reverse)
    #expect(SortDescriptor(\Voyage.name, order: .reverse) == SortDescriptor(\Voyage.name, comparator: reversed))
  }

  static let pendingSorts: [SortDescriptor<Voyage>] =
    [.forward, .reverse].flatMap { (order: SortOrder) -> [SortDescriptor<Voyage>] in
      [
        .init(\.name, order: order), .init(\.name, comparator: .lexical, order: order),
        .init(\.note, comparator: .lexical, order: order), .init(\.note, order: order), .init(\.speed, order: order),
        .init(\.fuel, order: order), .init(\.ratio, order: order), .init(\.departure, order: order),
        .init(\.crew, order: order), .init(\.price, order: order), .init(\.serial, order: order),
        .init(\.status, order: order), .init(\.category, order: order), .init(\.berth.pier, order: order),
        .init(\.lastBerth?.depth, order: order), .init(\.captain?.age, order: order),
        .init(\.captain?.persistentModelID, order: order), .init(\.persistentModelID, order: order),
        .init(\.status.rawValue, order: order), .init(\.category.rawValue, order: order),
        .init(\.previousStatus?.rank, order: order),
        .init(\.previousStatus?.rawValue, comparator: .lexical, order: order),
      ]
    }

  @Test("Pending models and stored rows have the same order", arguments: pendingSorts.indices)
  func pendingOrder(index: Int) throws {
    let fleet = try RandomFleet(seed: UInt64(index), size: 0)
    let context = ModelContext(fleet.container)
    let captains = try context.fetch(FetchDescriptor<Captain>())
    var source = ValueSource(SeededGenerator(seed: UInt64(index)))
    for number in 0..<40 {
      let voyage = Voyage(source.text())
      context.insert(voyage)
      source.fill(voyage)
      voyage.captain = source.maybe { $0.pick(captains) }
      if number == 20 { try context.save() }
    }
    let descriptor = FetchDescriptor(sortBy: [Self.pendingSorts[index]])
    let pending = try context.fetch(descriptor)
    #expect(pending.count == 40)
    try context.save()
    #expect(try ModelContext(fleet.container).fetchIdentifiers(descriptor) == pending.map(\.persistentModelID))
  }

  @Test("The lexical comparator orders text by its code points")
  func textOrder() throws {
    let context = ModelContext(try Fleet.shared.get().container)
    let names = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Voyage.name, comparator: .lexical)]))
      .map(\.name)
    let expected = names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    #expect(names.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test("An order by other models is distinguished from one by the model itself")
  func relationships() {
    func sortsByRelationship(_ descriptors: SortDescriptor<Voyage>...) -> Bool {
      FetchDescriptor(sortBy: descriptors).typesVisitedBySorting?.isEmpty != true
    }
    #expect(!sortsByRelationship())
    #expect(!sortsByRelationship(.init(\.name), .init(\.berth.number), .init(\.lastBerth?.pier)))
    #expect(!sortsByRelationship(.init(\.persistentModelID)))
    #expect(sortsByRelationship(.init(\.name), .init(\.captain?.name)))
    #expect(sortsByRelationship(.init(\.label)))
  }
}
