import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("SQL of each kind of predicate node")
struct PredicateSnapshotTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let predicate: Predicate<Voyage>
    /// The condition, its bound values, and the names of the selected voyages.
    let snapshot: String

    init(_ description: String, _ predicate: Predicate<Voyage>, _ snapshot: String) {
      testDescription = description
      self.predicate = predicate
      self.snapshot = snapshot
    }
  }

  static let examples: [Example] = {
    let crews = [7, nil]
    let limits = [3, 9]
    let same = ComparisonResult.orderedSame
    let status = VoyageStatus.underway
    let day = Fleet.date(2)
    let numbers = [2, 7]
    return [
      .init(
        "arithmetic", #Predicate { $0.distance * 2 + 1 > 9 },
        #"""
        "t0"."distance" * ? + ? > ?
        2, 1, 9
        → Calypso
        """#),
      .init(
        "division and remainder", #Predicate { $0.distance / 2 == 1 && $0.distance % 2 == 1 },
        #"""
        "t0"."distance" / ? = ? AND "t0"."distance" % ? = ?
        2, 1, 2, 1
        → Beagle
        """#),
      .init(
        "division of reals", #Predicate { 1 / $0.speed > 0.4 },
        #"""
        CASE WHEN "t0"."speed" = ? THEN ? * ? ELSE ? / nullif("t0"."speed", ?) END > ? AND typeof(CASE \#
        WHEN "t0"."speed" = ? THEN ? * ? ELSE ? / nullif("t0"."speed", ?) END) <> ?
        0.0, 1.0, inf, 1.0, 'NaN', 0.4, 0.0, 1.0, inf, 1.0, 'NaN', 'text'
        → Argo, Beagle
        """#),
      .init(
        "unary minus", #Predicate { -$0.distance < -4 },
        #"""
        -"t0"."distance" < -?
        4
        → Calypso
        """#),
      .init(
        "a conditional", #Predicate { ($0.isOpen ? $0.distance : $0.berth.number) == 2 },
        #"""
        CASE WHEN "t0"."isOpen" = ? THEN "t0"."distance" ELSE "t0"."berth_number" END = ?
        1, 2
        → Argo, Calypso
        """#),
      .init(
        "a value instead of nil", #Predicate { ($0.crew ?? $0.distance) == 7 },
        #"""
        coalesce("t0"."crew", "t0"."distance") = ?
        7
        → Argo
        """#),
      .init(
        "an optional chain", #Predicate { $0.lastBerth?.depth == nil },
        #"""
        "t0"."lastBerth_depth" IS NULL

        → Argo, Calypso
        """#),
      .init(
        "captured optionals", #Predicate { crews.contains($0.crew) },
        #"""
        "t0"."crew" IS NULL OR "t0"."crew" IN (?)
        7
        → Argo, Beagle
        """#),
      .init(
        "tests of captured elements", #Predicate { voyage in limits.allSatisfy { $0 > voyage.distance } },
        #"""
        NOT (NOT ("t0"."distance" < ?) OR NOT ("t0"."distance" < ?))
        3, 9
        → Argo
        """#),
      .init(
        "an enum's own property", #Predicate { $0.status.isCurrent },
        #"""
        "t0"."status" IN (?)
        'underway'
        → Beagle
        """#),
      .init(
        "a property of a date", #Predicate { $0.departure.timeIntervalSince1970 > 978_400_000 },
        #"""
        nullif("t0"."departure", ?) + ? > ? AND typeof(nullif("t0"."departure", ?) + ?) <> ?
        'NaN', 978307200.0, 978400000.0, 'NaN', 978307200.0, 'text'
        → Calypso
        """#),
      .init(
        "text without regard to case", #Predicate { $0.name.caseInsensitiveCompare("ARGO") == same },
        #"""
        swiftdata_case_insensitive_compare("t0"."name", ?) = ?
        'ARGO', 0
        → Argo
        """#),
      .init(
        "elements of an array", #Predicate { $0.numbers.contains(2) },
        #"""
        EXISTS (SELECT 1 FROM swiftdata_elements("t0"."numbers") AS "t1" WHERE "t1"."value" = ?)
        2
        → Argo, Calypso
        """#),
      .init(
        "elements that are text", #Predicate { $0.words.contains { $0.starts(with: "s") } },
        #"""
        EXISTS (SELECT 1 FROM swiftdata_elements("t0"."words") AS "t1" WHERE "t1"."value" >= ? AND \#
        "t1"."value" < ? AND swiftdata_starts_with("t1"."value", ?))
        's', 't', 's'
        → Argo, Beagle
        """#),
      .init(
        "elements that are structs", #Predicate { $0.stops.contains { $0.number == 4 } },
        #"""
        EXISTS (SELECT 1 FROM swiftdata_elements("t0"."stops") AS "t1" WHERE json_extract("t1"."value", ?) = ?)
        '$."number"', 4
        → Beagle
        """#),
      .init(
        "elements that are enums", #Predicate { $0.pastStatuses.contains(status) },
        #"""
        EXISTS (SELECT 1 FROM swiftdata_elements("t0"."pastStatuses") AS "t1" WHERE "t1"."value" = ?)
        'underway'
        → Argo
        """#),
      .init(
        "a count of elements", #Predicate { $0.numbers.filter { $0 > 1 }.count == 2 },
        #"""
        (SELECT count(*) FROM swiftdata_elements("t0"."numbers") AS "t1" WHERE "t1"."value" > ?) = ?
        1, 2
        → Argo, Calypso
        """#),
      .init(
        "the largest element", #Predicate { ($0.numbers.max() ?? 0) == 3 },
        #"""
        coalesce((SELECT max("t1"."value") FROM swiftdata_elements("t0"."numbers") AS "t1"), ?) = ?
        0, 3
        → Argo
        """#),
      .init(
        "an element by its index", #Predicate { $0.numbers.count > 0 && $0.numbers[0] == 1 },
        #"""
        (SELECT count(*) FROM swiftdata_elements("t0"."numbers") AS "t1") > ? AND (SELECT "t2"."value" FROM \#
        swiftdata_elements("t0"."numbers") AS "t2" WHERE "t2"."key" = ?) = ?
        0, 0, 1
        → Argo
        """#),
      .init(
        "a value by its key", #Predicate { $0.ranks["speed"] == 2 },
        #"""
        (SELECT "t1"."value" FROM swiftdata_elements("t0"."ranks") AS "t1" WHERE "t1"."key" = ?) = ?
        'speed', 2
        → Calypso
        """#),
      .init(
        "a to-many in a to-many", #Predicate { $0.harbors.contains { $0.voyages.count > 1 } },
        #"""
        EXISTS (SELECT 1 FROM "Harbor_voyages" AS "t1" JOIN "Harbor" AS "t2" ON "t2"."_id" = \#
        "t1"."harbor_id" WHERE "t1"."voyage_id" = "t0"."_id" AND (SELECT count(*) FROM "Harbor_voyages" \#
        AS "t3" WHERE "t3"."harbor_id" = "t2"."_id") > ?)
        1
        → Argo, Calypso
        """#),
      .init(
        "equality with nil and a value", #Predicate { $0.crew == nil || $0.crew == 9 },
        #"""
        "t0"."crew" IS NULL OR "t0"."crew" = ?
        9
        → Beagle, Calypso
        """#),
      .init(
        "inequality of an optional", #Predicate { $0.crew != 7 },
        #"""
        "t0"."crew" IS NOT ?
        7
        → Beagle, Calypso
        """#),
      .init(
        "comparisons of numbers and dates", #Predicate { $0.distance >= 3 && $0.departure < day },
        #"""
        "t0"."distance" >= ? AND "t0"."departure" < ?
        3, 172800.0
        → Beagle
        """#),
      .init(
        "a range", #Predicate { (2..<7).contains($0.distance) },
        #"""
        "t0"."distance" >= ? AND "t0"."distance" < ?
        2, 7
        → Argo, Beagle
        """#),
      .init(
        "a closed range of text", #Predicate { ("B"..."Bz").contains($0.name) },
        #"""
        swiftdata_normalized("t0"."name") >= ? AND swiftdata_normalized("t0"."name") <= ?
        'B', 'Bz'
        → Beagle
        """#),
      .init(
        "captured values", #Predicate { numbers.contains($0.distance) },
        #"""
        "t0"."distance" IN (?, ?)
        2, 7
        → Argo, Calypso
        """#),
      .init(
        "a part of a text", #Predicate { $0.name.contains("eag") },
        #"""
        swiftdata_contains("t0"."name", ?)
        'eag'
        → Beagle
        """#),
      .init(
        "the beginning of a text", #Predicate { $0.name.starts(with: "Ca") },
        #"""
        "t0"."name" >= ? AND "t0"."name" < ? AND swiftdata_starts_with("t0"."name", ?)
        'Ca', 'Cb', 'Ca'
        → Calypso
        """#),
      .init(
        "a localized search", #Predicate { $0.name.localizedStandardContains("ÁRG") },
        #"""
        swiftdata_localized_standard_contains("t0"."name", ?)
        'ÁRG'
        → Argo
        """#),
      .init(
        "a type", #Predicate { $0 is SteamVoyage },
        #"""
        "t0"."_type" = ?
        'SteamVoyage'
        → Calypso
        """#),
      .init(
        "a conditional cast", #Predicate { ($0 as? SteamVoyage)?.coal == 2 },
        #"""
        CASE WHEN "t0"."_type" = ? THEN "t0"."coal" ELSE ? END = ?
        'SteamVoyage', NULL, 2
        → Calypso
        """#),
      .init(
        "negations", #Predicate { !($0.isOpen && $0.distance > 2) },
        #"""
        NOT ("t0"."isOpen" = ? AND "t0"."distance" > ?)
        1, 2
        → Argo, Calypso
        """#),
      .init(
        "a to-one that is missing", #Predicate { $0.captain == nil && $0.distance != 3 },
        #"""
        "t0"."captain_id" IS NULL AND "t0"."distance" <> ?
        3
        → Argo, Calypso
        """#),
      .init(
        "all members of a to-many", #Predicate { $0.harbors.allSatisfy { $0.depth > 4 } },
        #"""
        NOT EXISTS (SELECT 1 FROM "Harbor_voyages" AS "t1" JOIN "Harbor" AS "t2" ON \#
        "t2"."_id" = "t1"."harbor_id" WHERE "t1"."voyage_id" = "t0"."_id" AND NOT ("t2"."depth" > ?))
        4
        → Beagle
        """#),
      .init(
        "several predicates",
        Predicate(any: [#Predicate { $0.distance == 2 }, #Predicate { $0.name == "Beagle" }]),
        #"""
        "t0"."distance" = ? OR "t0"."name" = ?
        2, 'Beagle'
        → Argo, Beagle
        """#),
    ]
  }()

  @Test("Each predicate has the expected SQL condition and rows", arguments: examples)
  func snapshot(example: Example) throws {
    let context = try Self.store.get()
    let store = try #require(context.graph.requireBinding(for: Voyage.self).session as? RelationalSession).store
    let entity = try #require(store.layout.layout(named: "Voyage"))
    let translated = try PredicateTranslator(layout: store.layout, entity: entity, store: store.identifier)
      .translate(example.predicate)
    let rendered = try SQLiteDialect().render(#require(translated.condition))
    let names = try context.fetch(FetchDescriptor(predicate: example.predicate)).map(\.name)
    #expect(translated.isExact)
    let snapshot = """
      \(rendered.sql)
      \(rendered.parameters.map(Self.describe).joined(separator: ", "))
      → \(names.joined(separator: ", "))
      """
    #expect(snapshot == example.snapshot)
  }

  private static func describe(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "'\(text)'"
    case .blob(let data): "\(data.count) bytes"
    }
  }

  private static var store: Result<ModelContext, any Error> {
    Result {
      let context = ModelContext(
        try ModelContainer(
          for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
          configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
      let (argo, beagle, calypso) = (Voyage("Argo"), Voyage("Beagle"), SteamVoyage("Calypso"))
      for (index, voyage) in ([argo, beagle, calypso] as [Voyage]).enumerated() {
        context.insert(voyage)
        voyage.distance = [2, 3, 7][index]
        (voyage as? SteamVoyage)?.coal = 2
        voyage.crew = [7, nil, 9][index]
        voyage.speed = [0, 2, 4][index]
        voyage.isOpen = index < 2
        voyage.status = VoyageStatus.allCases[index]
        voyage.departure = Fleet.date(index)
        voyage.berth.number = index
        voyage.lastBerth = index == 0 ? nil : Berth(pier: "P", number: 1, depth: index == 1 ? 4.5 : nil)
        voyage.words = [["sea"], ["see", "tea"], []][index]
        voyage.numbers = [[1, 2, 3], [], [2, 2]][index]
        voyage.stops = index == 1 ? [Berth(pier: "Q", number: 4, depth: nil)] : []
        voyage.ranks = index == 2 ? ["speed": 2] : [:]
        voyage.pastStatuses = index == 0 ? [.planned, .underway] : []
      }
      let harbor = Harbor("North", depth: 3)
      context.insert(harbor)
      argo.harbors = [harbor]
      calypso.harbors = [harbor]
      try context.save()
      return context
    }
  }
}
