import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("SQL of predicates")
struct PredicateTranslationTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let predicate: Predicate<Voyage>
    let sql: String?
    var parameters: [Value]?
    var testDescription: String { sql ?? "every row" }

    init(_ predicate: Predicate<Voyage>, _ sql: String?, _ parameters: [Value]? = nil) {
      self.predicate = predicate
      self.sql = sql
      self.parameters = parameters
    }
  }

  static let examples: [Example] = {
    let status = VoyageStatus.planned
    let distances = [3, 4]
    let names = ["a", "é"]
    let everything = true
    return [
      .init(#Predicate { $0.distance == 3 }, #""t0"."distance" = ?"#, [.integer(3)]),
      .init(#Predicate { $0.crew != 3 }, #""t0"."crew" IS NOT ?"#, [.integer(3)]),
      .init(#Predicate { $0.crew == nil }, #""t0"."crew" IS NULL"#),
      .init(#Predicate { !($0.distance < 3) }, #"NOT ("t0"."distance" < ?)"#),
      .init(#Predicate { ($0.crew ?? 0) > 3 }, #"coalesce("t0"."crew", ?) > ?"#),
      .init(#Predicate { $0.isOpen }, #""t0"."isOpen" = ?"#, [.integer(1)]),
      .init(#Predicate { !$0.isOpen }, #""t0"."isOpen" = ?"#, [.integer(0)]),
      .init(#Predicate { $0.isLate ?? false }, #""t0"."isLate" = ?"#, [.integer(1)]),
      .init(
        #Predicate { $0.speed > 1 }, #""t0"."speed" > ? AND typeof("t0"."speed") <> ?"#, [.real(1), .text("text")]),
      .init(#Predicate { $0.name == "a" }, #""t0"."name" = ?"#),
      .init(#Predicate { $0.name == "K" }, #""t0"."name" IN (?, ?)"#, [.text("K"), .text("\u{212A}")]),
      .init(
        #Predicate { $0.name == "Café" },
        #""t0"."name" >= ? AND "t0"."name" < ? AND swiftdata_normalized("t0"."name") = ?"#,
        [.text("Ca"), .text("Cb"), .text("Café")]),
      .init(
        #Predicate { $0.name.starts(with: "ab") },
        #""t0"."name" >= ? AND "t0"."name" < ? AND swiftdata_starts_with("t0"."name", ?)"#),
      .init(
        #Predicate { $0.note?.contains("ab") == true },
        #"swiftdata_contains("t0"."note", ?)"#),
      .init(#Predicate { $0.status == status }, #""t0"."status" = ?"#, [.text("planned")]),
      .init(#Predicate { distances.contains($0.distance) }, #""t0"."distance" IN (?, ?)"#),
      .init(
        #Predicate { names.contains($0.name) },
        #""t0"."name" IN (?) OR swiftdata_normalized("t0"."name") IN (?)"#),
      .init(#Predicate { (1...3).contains($0.distance) }, #""t0"."distance" >= ? AND "t0"."distance" <= ?"#),
      .init(#Predicate { $0.berth.pier == "a" }, #""t0"."berth_pier" = ?"#),
      .init(#Predicate { $0.lastBerth?.number == 3 }, #""t0"."lastBerth_number" = ?"#),
      .init(
        #Predicate { $0.captain?.name == "Nemo" },
        #""t0"."captain_id" IN (SELECT "t1"."_id" FROM "Captain" AS "t1" WHERE "t1"."name" = ?)"#),
      .init(
        #Predicate { $0.captain?.country?.name == "France" },
        #"""
        "t0"."captain_id" IN (SELECT "t1"."_id" FROM "Captain" AS "t1" WHERE "t1"."country_id" IN \#
        (SELECT "t2"."_id" FROM "Country" AS "t2" WHERE "t2"."name" = ?))
        """#),
      .init(
        #Predicate { $0.captain?.age == nil },
        #"(SELECT "t1"."age" FROM "Captain" AS "t1" WHERE "t1"."_id" = "t0"."captain_id") IS NULL"#),
      .init(
        #Predicate { $0.harbors.isEmpty },
        #"NOT EXISTS (SELECT 1 FROM "Harbor_voyages" AS "t1" WHERE "t1"."voyage_id" = "t0"."_id")"#),
      .init(
        #Predicate { ($0.crates?.count ?? 0) > 1 },
        #"(SELECT count(*) FROM "Crate" AS "t1" WHERE "t1"."voyage_id" = "t0"."_id") > ?"#),
      .init(
        #Predicate { $0.harbors.contains { $0.depth > 3 } },
        #"""
        EXISTS (SELECT 1 FROM "Harbor_voyages" AS "t1" JOIN "Harbor" AS "t2" ON "t2"."_id" = "t1"."harbor_id" \#
        WHERE "t1"."voyage_id" = "t0"."_id" AND "t2"."depth" > ?)
        """#),
      .init(#Predicate { $0 is SteamVoyage }, #""t0"."_type" = ?"#, [.text("SteamVoyage")]),
      .init(
        #Predicate { ($0 as? SteamVoyage)?.coal == 3 },
        #"CASE WHEN "t0"."_type" = ? THEN "t0"."coal" ELSE ? END = ?"#),
      .init(#Predicate { everything || $0.distance == 3 }, nil),
      .init(#Predicate { $0.distance == 3 && $0.label == "a" }, #""t0"."distance" = ?"#),
      .init(#Predicate { $0.distance == 3 || $0.label == "a" }, nil),
      .init(Predicate.false, "0"),
    ]
  }()

  @Test("A predicate has the expected translation", arguments: examples)
  func translation(example: Example) throws {
    let translated = try FleetLayout.translate(example.predicate)
    let rendered = translated.condition.map { SQLiteDialect().render($0) }
    #expect(rendered?.sql == example.sql)
    if let parameters = example.parameters { #expect(rendered?.parameters == parameters) }
  }

  @Test("An expression that a predicate evaluates is translated in place")
  func evaluation() throws {
    let isFar = Expression<Voyage, Bool> { voyage in
      PredicateExpressions.build_Comparison(
        lhs: PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.distance),
        rhs: PredicateExpressions.build_Arg(3), op: .greaterThan)
    }
    let variable = PredicateExpressions.Variable<Voyage>()
    let node = PredicateExpressions.build_evaluate(PredicateExpressions.Value(isFar), variable)
    let (layout, entity) = try FleetLayout.make()
    let context = TranslationContext(layout: layout, store: InternedString("fleet"))
    context.bind(variable, to: .model(ModelTerm(entity, source: Projection.alias)))
    let test = try context.condition(node).exactTest()
    #expect(SQLiteDialect().render(test.expression).sql == #""t0"."distance" > ?"#)
  }

  @Test("Captured models are compared by their keys")
  func models() throws {
    let fleet = try Fleet.shared.get()
    let context = ModelContext(fleet.container)
    let captain = try #require(try context.graph.existingModel(for: fleet.nemo, as: Captain.self))
    let harbor = try #require(try context.graph.existingModel(for: fleet.north, as: Harbor.self))
    let store = try context.graph.requireBinding(for: Voyage.self).store
    let (layout, entity) = try FleetLayout.make()
    let translation = TranslationContext(layout: layout, store: store)
    let voyage = PredicateExpressions.Variable<Voyage>()
    translation.bind(voyage, to: .model(ModelTerm(entity, source: Projection.alias)))
    func sql(_ node: some PredicateExpression<Bool>) throws -> String {
      try SQLiteDialect().render(translation.condition(node).exactTest().expression).sql
    }
    let owner = PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.captain)
    let harbors = PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.harbors)
    let isOwner = PredicateExpressions.build_Equal(lhs: owner, rhs: PredicateExpressions.Value(captain as Captain?))
    let isNotOwner = PredicateExpressions.build_NotEqual(
      lhs: owner, rhs: PredicateExpressions.Value(captain as Captain?))
    let visits = PredicateExpressions.build_contains(harbors, PredicateExpressions.Value(harbor))
    let isUnsaved = PredicateExpressions.build_Equal(lhs: voyage, rhs: PredicateExpressions.Value(Voyage("")))
    #expect(try sql(isOwner) == #""t0"."captain_id" = ?"#)
    #expect(try sql(isNotOwner) == #""t0"."captain_id" IS NOT ?"#)
    #expect(
      try sql(visits)
        == #"""
        EXISTS (SELECT 1 FROM "Harbor_voyages" AS "t1" WHERE "t1"."voyage_id" = "t0"."_id" AND "t1"."harbor_id" = ?)
        """#)
    #expect(try sql(isUnsaved) == "0")
  }

  @Test("The error for a predicate that visits models of no store names the key path")
  func unknownModel() throws {
    let schema = Schema([Voyage.self, SteamVoyage.self, Captain.self, Country.self])
    let ordinals = schema.entities.indices.filter { schema.entities[$0].name != "Captain" }
    let layout = StoreLayout(schema: schema, entities: ordinals)
    let entity = try #require(layout.layout(named: "Voyage"))
    let translator = PredicateTranslator(layout: layout, entity: entity, store: InternedString("fleet"))
    let error = try #require(throws: SwiftDataError.self) {
      try translator.translate(#Predicate<Voyage> { $0.captain?.name == "Nemo" })
    }
    #expect(error == .unsupportedPredicate)
    #expect(error.details?.property == "captain")
  }

  @Test("Identifiers of other stores and unsaved ones match no row")
  func foreignIdentifiers() throws {
    let foreign = PersistentIdentifier(store: InternedString("another"), entity: InternedString("Voyage"), key: 1)
    let own = PersistentIdentifier(store: InternedString("fleet"), entity: InternedString("Voyage"), key: 2)
    let other = PersistentIdentifier(store: InternedString("fleet"), entity: InternedString("Captain"), key: 3)
    let unsaved = Voyage("").persistentModelID
    let all = [foreign, own, other, unsaved]
    let translated = try FleetLayout.translate(#Predicate { all.contains($0.persistentModelID) })
    let rendered = try SQLiteDialect().render(#require(translated.condition))
    #expect(rendered.sql == #""t0"."_id" = ? AND "t0"."_type" = ?"#)
    #expect(rendered.parameters == [.integer(2), .text("Voyage")])
    let nothing = try FleetLayout.translate(#Predicate { $0.persistentModelID == foreign })
    #expect(try SQLiteDialect().render(#require(nothing.condition)).sql == "0")
  }
}

/// The layout of the fleet's store, without a database.
enum FleetLayout {
  static func make() throws -> (layout: StoreLayout, voyages: EntityLayout) {
    let schema = Schema([
      Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
    ])
    let layout = StoreLayout(schema: schema, entities: Array(schema.entities.indices))
    return (layout, try #require(layout.layout(named: "Voyage")))
  }

  static func translate(_ predicate: Predicate<Voyage>) throws -> TranslatedPredicate {
    let (layout, voyages) = try make()
    return try PredicateTranslator(layout: layout, entity: voyages, store: InternedString("fleet"))
      .translate(predicate)
  }
}
