import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Captured collections of all types")
struct CapturedCollectionTests {
  /// A property and values of its type, among them values of the models.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    fileprivate let predicates: @Sendable () -> [Predicate<Voyage>]

    init<Value: Codable & Hashable & Sendable>(
      _ name: String, _ keyPath: any KeyPath<Voyage, Value> & Sendable, _ values: [Value]
    ) {
      testDescription = name
      predicates = {
        let some = Array(values.prefix(max(1, values.count / 2)))
        let others = Array(values.dropFirst(some.count))
        // Long ones are bound and evaluated in another way.
        let lists = [[], some, others, values] + [some, others, values].map { Self.repeated($0, 400) }
        let sets = [[], Set(some), Set(values)]
        let arrays = lists.flatMap { list -> [Predicate<Voyage>] in
          [Self.predicate(keyPath, list), Self.predicate(keyPath, ContiguousArray(list))]
        }
        return arrays + sets.map { Self.predicate(keyPath, $0) }
      }
    }

    private static func repeated<Value>(_ values: [Value], _ count: Int) -> [Value] {
      (0..<(values.isEmpty ? 0 : count)).map { values[$0 % values.count] }
    }

    private static func predicate<Values: Sequence & Codable & Sendable>(
      _ keyPath: any KeyPath<Voyage, Values.Element> & Sendable, _ values: Values
    ) -> Predicate<Voyage> where Values.Element: Equatable {
      Predicate { voyage in
        PredicateExpressions.build_contains(
          PredicateExpressions.build_Arg(values),
          PredicateExpressions.build_KeyPath(root: voyage, keyPath: keyPath))
      }
    }
  }

  private static let fleet = Result { try RandomFleet(seed: 11, size: 60) }

  static let cases: [Case] = [
    Case("texts", \.name, RandomFleet.texts),
    Case("optional texts", \.note, RandomFleet.texts + [nil]),
    Case("integers", \.distance, RandomFleet.integers),
    Case("optional integers", \.crew, RandomFleet.integers + [nil]),
    Case("wide integers", \.serial, RandomFleet.wideIntegers),
    Case("reals", \.speed, RandomFleet.reals),
    Case("optional reals", \.fuel, RandomFleet.reals + [nil]),
    Case("only NaN", \.speed, [.nan, .nan]),
    Case("floats", \.ratio, RandomFleet.floats),
    Case("dates", \.departure, RandomFleet.dates),
    Case("optional dates", \.arrival, [nil] + RandomFleet.dates),
    Case("booleans", \.isOpen, [true]),
    Case("optional booleans", \.isLate, [false, nil]),
    Case("UUIDs", \.code, RandomFleet.codes),
    Case("decimals", \.price, RandomFleet.decimals),
    Case("optional URLs", \.link, RandomFleet.links + [nil]),
    Case("optional data", \.seal, RandomFleet.seals + [nil]),
    Case("enumerations of texts", \.status, VoyageStatus.allCases),
    Case("optional enumerations", \.previousStatus, [.completed, nil, .planned]),
    Case("enumerations of integers", \.category, [.mail, .cargo]),
    Case("structures", \.berth, [Berth(pier: "a", number: 1, depth: nil)]),
  ]

  @Test("Captured values of each type are found in a store as in Swift", arguments: cases)
  func stores(example: Case) throws {
    let oracle = try PredicateOracle(Self.fleet.get().container)
    for predicate in example.predicates() {
      #expect(try oracle.complaint(about: predicate) == nil)
    }
  }

  @Test("Captured values of each type are found in memory as in Swift", arguments: cases)
  func memory(example: Case) throws {
    let voyages = try ModelContext(Self.fleet.get().container).fetch(FetchDescriptor<Voyage>())
    for predicate in example.predicates() {
      let checked = CheckedPredicate(predicate)
      #expect(try voyages.map { try checked.evaluate($0) } == voyages.map { try predicate.evaluate($0) })
    }
  }

  @Test("Conditions around a long captured array are evaluated in Swift's order")
  func order() throws {
    let voyages = try ModelContext(Self.fleet.get().container).fetch(FetchDescriptor<Voyage>())
    let (names, notes) = (Array(repeating: "a", count: 50), Array(repeating: "b" as String?, count: 50))
    let predicates: [Predicate<Voyage>] = [
      // No condition unwraps nil or adds to the largest number.
      #Predicate { $0.note != nil && names.contains($0.note!) },
      #Predicate { $0.note == nil || !names.contains($0.note!) },
      #Predicate { $0.distance > 1000 || names.contains($0.name) || $0.distance + 1 > 3 },
      #Predicate { !(notes.contains($0.note) && !names.contains($0.name)) },
    ]
    for predicate in predicates {
      let checked = CheckedPredicate(predicate)
      #expect(try voyages.map { try checked.evaluate($0) } == voyages.map { try predicate.evaluate($0) })
    }
  }

  @Test("Values of unsaved models are found among many captured ones")
  func unsaved() throws {
    let context = ModelContext(try RandomFleet(seed: 12, size: 0).container)
    for number in 0..<1000 { context.insert(Voyage("voyage \(number)")) }
    let names = (0..<50_000).map { "voyage \($0 * 2)" }
    let captured = #Predicate<Voyage> { names.contains($0.name) && !$0.isOpen }
    #expect(try context.fetchCount(FetchDescriptor(predicate: captured)) == 500)
  }

  @Test("A million captured texts, in any form, are one parameter")
  func million() throws {
    let context = ModelContext(try RandomFleet(seed: 13, size: 0).container)
    for name in ["number 0", "number 999998", "number 1000000", "cafe\u{301}", "a\0b"] { context.insert(Voyage(name)) }
    try context.save()
    context.allowsInMemoryEvaluation = false
    let names = (0..<1_000_000).map { "number \($0)" } + ["caf\u{e9}", "a\0b"]
    let captured = #Predicate<Voyage> { names.contains($0.name) }
    #expect(try context.fetchCount(FetchDescriptor(predicate: captured)) == 4)
    #expect(try context.fetchCount(FetchDescriptor<Voyage>(predicate: #Predicate { !names.contains($0.name) })) == 1)
  }

  @Test("Models and identifiers of several entities are found among many others")
  func models() throws {
    let fleet = try Self.fleet.get()
    let context = ModelContext(fleet.container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    let captains = try context.fetch(FetchDescriptor<Captain>())
    let oracle = try PredicateOracle(fleet.container)
    let strangers = (0..<400).map { _ in Voyage("").persistentModelID }
    let identifiers = all.prefix(20).map(\.persistentModelID) + fleet.captains + strangers
    let some: [PersistentIdentifier?] = strangers.map { $0 } + [nil] + fleet.captains.prefix(3).map { $0 }
    let others = Set(captains.dropFirst(2).map(\.persistentModelID))
    for predicate: Predicate<Voyage> in [
      #Predicate { identifiers.contains($0.persistentModelID) },
      #Predicate { strangers.contains($0.persistentModelID) },
      #Predicate { some.contains($0.captain.flatMap { $0.persistentModelID }) },
      #Predicate { $0.captain.flatMap { others.contains($0.persistentModelID) } == true },
    ] {
      #expect(try oracle.complaint(about: predicate) == nil)
    }
  }
}
