import Foundation
import Relational
import Testing

@testable import SwiftData

/// Compares what a store makes of a predicate with what Swift makes of it.
struct PredicateOracle {
  let context: ModelContext
  private let voyages: [Voyage]
  private let everything: Set<Int64>

  init(_ container: ModelContainer) throws {
    context = ModelContext(container)
    voyages = try context.fetch(FetchDescriptor<Voyage>())
    everything = Set(voyages.map(\.persistentModelID.id.key))
  }

  /// What is wrong; nil when all is well.
  ///
  /// Swift throws where nil is unwrapped by force. What becomes of those rows is left open.
  func complaint(about predicate: Predicate<Voyage>, limit: Int? = nil) throws -> String? {
    var (yes, no): ([Voyage], Set<Int64>) = ([], [])
    for voyage in voyages {
      guard let answer = try? predicate.evaluate(voyage) else { continue }
      if answer { yes.append(voyage) } else { no.insert(voyage.persistentModelID.id.key) }
    }
    let keys = Set(yes.map(\.persistentModelID.id.key))
    let isDecided = keys.count + no.count == everything.count

    let selected = try context.select(predicate)
    let opposite = try context.select(predicate, isNegated: true)
    if selected.isExact != opposite.isExact { return "exact in one direction only" }
    if !selected.keys.isSuperset(of: keys) { return "rows are missing: \(keys.subtracting(selected.keys).sorted())" }
    if !opposite.keys.isSuperset(of: no) { return "rows of the opposite are missing: \(no.subtracting(opposite.keys))" }
    if selected.isExact {
      if !selected.keys.isDisjoint(with: no) { return "too many rows: \(selected.keys.intersection(no).sorted())" }
      if selected.keys.count + opposite.keys.count != everything.count { return "the two parts do not add up" }
    }
    guard isDecided else { return nil }

    var descriptor = FetchDescriptor(predicate: predicate)
    descriptor.fetchLimit = limit
    let expected = limit.map { Array(yes.prefix($0)) } ?? yes
    if try context.fetch(descriptor) != expected { return "a fetch gives other models" }
    if try context.fetchCount(descriptor) != expected.count { return "the count differs" }
    return nil
  }
}

extension ModelContext {
  /// The keys that a translation selects by itself, or that the translation of the opposite does.
  func select<Model: PersistentModel>(
    _ predicate: Predicate<Model>, isNegated: Bool = false
  ) throws -> (keys: Set<Int64>, isExact: Bool) {
    let binding = try requireBinding(for: Model.self)
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
