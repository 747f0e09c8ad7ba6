import Foundation
import Relational
import SQLiteDriver
import Testing

@testable import SwiftData

@Suite("A fetch gives what the predicate gives in Swift")
struct PredicateEquivalenceTests {
  @Test("Fetched models are those that the predicate is true for", arguments: PredicateCase.all)
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

  @Test("SQL leaves out no model, whether the predicate is asked or its opposite", arguments: PredicateCase.all)
  func translation(example: PredicateCase) throws {
    let fleet = try Fleet.shared.get()
    let predicate = example.predicate(fleet)
    let context = ModelContext(fleet.container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    let expected = try Set(all.filter { try predicate.evaluate($0) }.map(\.persistentModelID.id.key))
    let everything = Set(all.map(\.persistentModelID.id.key))

    let selected = try fleet.select(predicate, context)
    #expect(selected.keys.isSuperset(of: expected))
    switch example.translation {
    case .full:
      #expect(selected.isExact)
      #expect(selected.keys == expected)
    case .partial:
      #expect(!selected.isExact)
      #expect(selected.keys != everything)
    case .none:
      #expect(!selected.isExact)
      #expect(selected.keys == everything)
    }

    let opposite = try fleet.select(predicate, context, isNegated: true)
    #expect(opposite.keys.isSuperset(of: everything.subtracting(expected)))
    #expect(opposite.isExact == selected.isExact)
    if opposite.isExact { #expect(opposite.keys == everything.subtracting(expected)) }
  }
}

extension Fleet {
  /// The voyages that a translation selects by itself, or that the translation of the opposite does.
  fileprivate func select(
    _ predicate: Predicate<Voyage>, _ context: ModelContext, isNegated: Bool = false
  ) throws -> (keys: Set<Int64>, isExact: Bool) {
    let binding = try context.requireBinding(for: Voyage.self)
    let store = try #require(binding.session as? RelationalSession).store
    let entity = store.layout.layout(of: binding.entity)
    let translation = TranslationContext(layout: store.layout, store: store.identifier)
    translation.bind(predicate.variable, to: .model(ModelTerm(entity, source: Projection.alias)))
    let condition = try translation.condition(predicate.expression, isNegated: isNegated)
    var select = Select(
      columns: [.column(table: Projection.alias, name: LayoutNames.primaryKey)],
      from: .init(table: entity.table, alias: Projection.alias))
    switch condition.possible {
    case .always(true): break
    case .always(false): return ([], condition.isExact)
    case .test(let test): select.condition = test.expression
    }
    let rendered = store.database.dialect.render(select)
    var keys = Set<Int64>()
    try store.read { connection in
      try connection.forEachRow(rendered.sql, rendered.parameters) { keys.insert($0.integer(0)) }
    }
    return (keys, condition.isExact)
  }
}
