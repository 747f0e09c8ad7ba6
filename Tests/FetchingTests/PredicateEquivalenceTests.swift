import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Fetches compared with Predicate.evaluate")
struct PredicateEquivalenceTests {
  @Test("A fetch gives the models for which evaluate is true", arguments: PredicateCase.all)
  func fetch(example: PredicateCase) throws {
    let fleet = try Fleet.shared.get()
    let predicate = example.predicate(fleet)
    let context = ModelContext(fleet.container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    #expect(all.count == Fleet.texts.count)
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID)

    let fresh = ModelContext(fleet.container)
    let fetched = try fresh.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID)
    #expect(fetched == expected)
    #expect(try fresh.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count)
  }

  @Test("SQL omits no model for a predicate or its negation", arguments: PredicateCase.all)
  func translation(example: PredicateCase) throws {
    let fleet = try Fleet.shared.get()
    let predicate = example.predicate(fleet)
    let context = ModelContext(fleet.container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    let expected = try Set(all.filter { try predicate.evaluate($0) }.map(\.persistentModelID.id.key))
    let everything = Set(all.map(\.persistentModelID.id.key))

    let selected = try context.select(predicate)
    #expect(selected.keys.isSuperset(of: expected))
    if selected.isExact { #expect(selected.keys == expected) }
    let opposite = try context.select(predicate, isNegated: true)
    #expect(opposite.keys.isSuperset(of: everything.subtracting(expected)))
    if opposite.isExact { #expect(opposite.keys == everything.subtracting(expected)) }

    // A server evaluates fewer predicates.
    if PostgresTests.areOn { return }
    #expect(opposite.isExact == selected.isExact)
    switch example.translation {
    case .full:
      #expect(selected.isExact)
    case .partial:
      #expect(!selected.isExact)
      #expect(selected.keys != everything)
    case .none:
      #expect(!selected.isExact)
      #expect(selected.keys == everything)
    }
  }
}
