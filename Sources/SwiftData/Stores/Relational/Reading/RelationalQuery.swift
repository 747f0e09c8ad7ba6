import Foundation
import Relational

/// A fetch descriptor as a relational store understands it.
struct RelationalQuery {
  let layout: EntityLayout
  private(set) var residue = FetchResidue()
  /// What of the predicate is beyond the database, and why.
  private(set) var unfiltered: Untranslatable?
  /// Why the database cannot sort.
  private(set) var unsorted: Untranslatable?
  /// What the predicate became; nil when every row meets it, or when it was given up.
  private var condition: SQLExpression?
  private var orderings: [Select.Ordering] = []
  private let limit: Int?
  private let offset: Int?

  init<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ store: RelationalStore
  ) throws {
    guard let layout = store.layout.layout(forType: Model.self) else {
      throw SwiftDataError.unknownSchema.with(
        entity: "\(Model.self)", message: "The store does not hold \(Model.self).")
    }
    self.layout = layout
    limit = descriptor.fetchLimit.map { max(0, $0) }
    offset = descriptor.fetchOffset.map { max(0, $0) }
    if let predicate = descriptor.predicate {
      let translator = PredicateTranslator(
        layout: store.layout, entity: layout, store: store.identifier,
        memory: (store.predicates, store.database.dialect))
      let translated = try translator.translate(predicate)
      condition = translated.condition
      if let untranslated = translated.untranslated {
        residue.filters = true
        unfiltered = untranslated
        PredicateDescription.report(untranslated)
      }
    }
    guard !descriptor.sortBy.isEmpty else { return }
    let translated = try SortTranslator(layout: store.layout, entity: layout).translate(descriptor.sortBy)
    orderings = translated.orderings
    unsorted = translated.untranslated
    residue.sorts = translated.untranslated != nil
  }

  // MARK: Statements

  func select(_ columns: [SQLExpression], _ restriction: FetchRestriction) -> Select {
    var select = Select(columns: columns, from: .init(table: layout.table, alias: Projection.alias))
    select.condition = whole(restriction.ignoresPredicate ? nil : condition)
    select.orderBy = orderings + [.init(.column(table: Projection.alias, name: LayoutNames.primaryKey))]
    switch restriction.limit {
    case .asDescribed:
      select.limit = limit
      select.offset = offset
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

  /// Counts the rows whatever the limit is: see `limited`.
  var count: Select {
    var select = Select(
      columns: [.aggregate(.count, nil, distinct: false)],
      from: .init(table: layout.table, alias: Projection.alias))
    select.condition = whole(condition)
    return select
  }

  /// How many of `count` rows remain after the offset and the limit.
  func limited(_ count: Int) -> Int {
    let rest = max(0, count - (offset ?? 0))
    return limit.map { min(rest, $0) } ?? rest
  }

  /// Whether the statement for a restriction is the one that the descriptor describes.
  func isAsDescribed(_ restriction: FetchRestriction) -> Bool {
    switch restriction.limit {
    case .asDescribed: !restriction.ignoresPredicate
    case .none: !restriction.ignoresPredicate && limit == nil && offset == nil
    case .atMost, .page: false
    }
  }

  /// A condition along with the one that tells the rows of the entity from others of its table.
  private func whole(_ condition: SQLExpression?) -> SQLExpression? {
    guard layout.needsTypeCondition, let type = layout.typeColumn else { return condition }
    let names = layout.family.map { Value.text($0.entity.name) }
    let isOfFamily = SQLExpression.isIn(.column(table: Projection.alias, name: type), names)
    return condition.map { .binary(.and, isOfFamily, $0) } ?? isOfFamily
  }

  // MARK: What is too much for the database

  /// Wider queries, which leave more to the caller: the predicate, the order, both.
  var reductions: [RelationalQuery] {
    var reductions: [RelationalQuery] = []
    if condition != nil { reductions.append(withoutCondition) }
    if !orderings.isEmpty { reductions.append(withoutOrder) }
    if reductions.count == 2 { reductions.append(withoutCondition.withoutOrder) }
    return reductions
  }

  /// Whether there is anything to leave to the caller.
  var isReducible: Bool { condition != nil || !orderings.isEmpty }

  private var withoutCondition: RelationalQuery {
    var query = self
    query.condition = nil
    query.residue.filters = true
    var reason = Untranslatable("it is larger or deeper than the database takes")
    reason.part = "the predicate"
    query.unfiltered = reason
    return query
  }

  private var withoutOrder: RelationalQuery {
    var query = self
    query.orderings = []
    query.residue.sorts = true
    query.unsorted = Untranslatable("there are more than the database takes")
    return query
  }
}

extension StoreLayout {
  func layout(forType type: any PersistentModel.Type) -> EntityLayout? {
    all.first { $0.runtime.type == type }
  }
}
