import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Compares a store's results for a predicate with those of Swift.
struct PredicateOracle {
  let context: ModelContext
  private let voyages: [Voyage]
  private let everything: Set<Int64>

  init(_ container: ModelContainer) throws {
    context = ModelContext(container)
    voyages = try context.fetch(FetchDescriptor<Voyage>())
    everything = Set(voyages.map(\.persistentModelID.id.key))
  }

  /// The first difference, or nil.
  ///
  /// The rows are those for which the predicate is true, those for which it is false, and those for which Swift throws because
  /// nil is unwrapped by force. The last may be on either side, but only on one.
  func complaint(about predicate: Predicate<Voyage>, limit: Int? = nil) throws -> String? {
    let parts = Dictionary(grouping: voyages) { try? predicate.evaluate($0) }
    let yes = parts[true] ?? []
    let (keys, no, undecided) = (Self.keys(yes), Self.keys(parts[false] ?? []), Self.keys(parts[nil] ?? []))

    let selected = try context.select(predicate)
    let opposite = try context.select(predicate, isNegated: true)
    if !PostgresTests.areOn, selected.isExact != opposite.isExact { return "exact in one direction only" }
    if !selected.keys.isSuperset(of: keys) { return "rows are missing: \(keys.subtracting(selected.keys).sorted())" }
    if !opposite.keys.isSuperset(of: no) { return "rows of the opposite are missing: \(no.subtracting(opposite.keys))" }
    if selected.isExact, opposite.isExact {
      if !selected.keys.isDisjoint(with: no) { return "too many rows: \(selected.keys.intersection(no).sorted())" }
      // Each undecided row is on one side or the other.
      let isPartition = selected.keys.isDisjoint(with: opposite.keys)
      let sum = selected.keys.union(opposite.keys)
      if !isPartition || sum != everything || sum.subtracting(keys).subtracting(no) != undecided {
        return "the rows for which it is true, false and neither do not add up"
      }
    }
    guard undecided.isEmpty else { return nil }

    var descriptor = FetchDescriptor(predicate: predicate)
    descriptor.fetchLimit = limit
    let expected = limit.map { Array(yes.prefix($0 == 0 ? .max : $0)) } ?? yes
    if try context.fetch(descriptor) != expected { return "a fetch gives other models" }
    if try context.fetchCount(descriptor) != expected.count { return "the count differs" }
    let negated = Predicate<Voyage> { voyage in
      PredicateExpressions.build_Negation(
        PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(predicate), voyage))
    }
    if try context.fetchCount(FetchDescriptor(predicate: negated)) != no.count { return "the opposite's count differs" }
    return nil
  }

  private static func keys(_ voyages: [Voyage]) -> Set<Int64> {
    Set(voyages.map(\.persistentModelID.id.key))
  }
}

extension ModelContext {
  /// The keys that a translation selects without in-memory evaluation, for the predicate or its negation.
  func select<Model: PersistentModel>(
    _ predicate: Predicate<Model>, isNegated: Bool = false
  ) throws -> (keys: Set<Int64>, isExact: Bool) {
    let binding = try graph.requireBinding(for: Model.self)
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
    func keys(_ query: RenderedStatement) throws -> Set<Int64> {
      var keys = Set<Int64>()
      try store.read { connection in
        try connection.forEachRow(query.sql, query.parameters) { keys.insert($0.integer(0)) }
      }
      return keys
    }
    do {
      return (try keys(rendered), condition.isExact)
    } catch let error as SwiftDataError where error.isTooComplex && PostgresTests.areOn {
      // Fetches evaluate in memory what the server refuses.
      select.condition = nil
      return (try keys(store.database.dialect.render(select)), false)
    }
  }
}
