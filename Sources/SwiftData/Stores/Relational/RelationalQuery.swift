import Foundation
import Relational

/// A fetch descriptor as a relational store understands it.
struct RelationalQuery {
  let layout: EntityLayout
  let residue: FetchResidue
  private let condition: SQLExpression?
  private let orderings: [Select.Ordering]

  init<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ store: RelationalStore
  ) throws {
    guard let layout = store.layout.layout(forType: Model.self) else {
      throw SwiftDataError.unknownSchema.with(
        entity: "\(Model.self)", message: "The store does not hold \(Model.self).")
    }
    self.layout = layout
    var residue = FetchResidue()
    var condition: SQLExpression?
    if let predicate = descriptor.predicate {
      let translator = PredicateTranslator(
        layout: store.layout, entity: layout, store: store.identifier,
        memory: (store.predicates, store.database.dialect))
      let translated = try translator.translate(predicate)
      condition = translated.condition
      if let untranslated = translated.untranslated {
        residue.filters = true
        residue.untranslated = untranslated
        PredicateDescription.report(untranslated)
      }
    }
    if layout.needsTypeCondition, let type = layout.typeColumn {
      let names = layout.family.map { Value.text($0.entity.name) }
      let isOfFamily = SQLExpression.isIn(.column(table: Projection.alias, name: type), names)
      condition = condition.map { .binary(.and, isOfFamily, $0) } ?? isOfFamily
    }
    self.condition = condition
    if descriptor.sortBy.isEmpty {
      orderings = []
    } else {
      let translated = try SortTranslator(layout: store.layout, entity: layout).translate(descriptor.sortBy)
      orderings = translated.orderings
      residue.unsorted = translated.untranslated
      residue.sorts = translated.untranslated != nil
    }
    self.residue = residue
  }

  func select<Model: PersistentModel>(
    _ columns: [SQLExpression], _ descriptor: FetchDescriptor<Model>, _ restriction: FetchRestriction
  ) -> Select {
    var select = Select(columns: columns, from: .init(table: layout.table, alias: Projection.alias))
    // What the caller does although it is translated was too much for the database.
    let ignoresPredicate = restriction.ignoresPredicate || restriction.residue.filters && !residue.filters
    let ignoresOrder = restriction.residue.sorts && !residue.sorts
    select.condition = ignoresPredicate ? typeCondition : condition
    select.orderBy =
      (ignoresOrder ? [] : orderings) + [.init(.column(table: Projection.alias, name: LayoutNames.primaryKey))]
    switch restriction.limit {
    case .asDescribed:
      select.limit = descriptor.fetchLimit.map { max(0, $0) }
      select.offset = descriptor.fetchOffset.map { max(0, $0) }
    case .atMost(let limit):
      select.limit = limit
    case .none:
      break
    case .page(let page):
      let key = SQLExpression.column(table: Projection.alias, name: LayoutNames.primaryKey)
      let bounds = SQLExpression.binary(
        .and, .binary(.greater, key, .value(.integer(page.after))),
        .binary(.lessOrEqual, key, .value(.integer(page.through))))
      select.condition = select.condition.map { .binary(.and, bounds, $0) } ?? bounds
      select.limit = page.limit
      select.offset = page.offset > 0 ? page.offset : nil
    }
    return select
  }

  private var typeCondition: SQLExpression? {
    guard layout.needsTypeCondition, let type = layout.typeColumn else { return nil }
    return .isIn(
      .column(table: Projection.alias, name: type), layout.family.map { .text($0.entity.name) })
  }
}

extension StoreLayout {
  func layout(forType type: any PersistentModel.Type) -> EntityLayout? {
    all.first { $0.runtime.type == type }
  }
}
