import Foundation
import Relational

/// A fetch descriptor, translated for a relational store.
struct RelationalQuery {
  let layout: EntityLayout
  private(set) var residue = FetchResidue()
  /// The part of the predicate that the database cannot evaluate, and why.
  private(set) var unfiltered: Untranslatable?
  /// Why the database cannot sort.
  private(set) var unsorted: Untranslatable?
  /// The translated predicate; nil when every row meets it, or when it is left to the context.
  private var condition: SQLExpression?
  private var orderings: [Select.Ordering] = []
  private var limit: Int?
  private var offset: Int?
  /// The shape of the statement; nil when the statement depends on more.
  private(set) var shape: QueryShape?
  /// What the store has cached for statements of the shape.
  private(set) var known = QueryCache.Known.nothing

  /// - Parameter result: The result of the statement, which is part of its shape.
  init<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ store: RelationalStore, for result: FetchResultType
  ) throws {
    guard let layout = store.layout.layout(forType: Model.self) else {
      throw SwiftDataError.unknownSchema.with(
        entity: "\(Model.self)", message: "The store does not hold \(Model.self).")
    }
    self.layout = layout
    limit = descriptor.limit.map { max(0, $0) }
    offset = descriptor.fetchOffset.map { max(0, $0) }
    if let predicate = descriptor.predicate {
      let translator = PredicateTranslator(
        layout: store.layout, entity: layout, store: store.identifier, searches: store.searches,
        memory: (store.predicates, store.database.dialect))
      let translated = try translator.translate(predicate)
      condition = translated.condition
      if let untranslated = translated.untranslated {
        residue.filters = true
        unfiltered = untranslated
        PredicateDescription.report(untranslated)
      }
    }
    if residue.isEmpty {
      shape = QueryShape(descriptor, condition, entity: layout.ordinal, for: result)
      if let shape { known = store.queries.known(of: shape) }
      if case .template(let template) = known {
        orderings = template.orderings
        return
      }
    }
    guard !descriptor.sortBy.isEmpty else { return }
    let translated = try SortTranslator(layout: store.layout, entity: layout).translate(descriptor.sortBy)
    orderings = translated.orderings
    unsorted = translated.untranslated
    if let unsorted { PredicateDescription.reportSort(unsorted) }
    residue.sorts = translated.untranslated != nil
    if residue.sorts { shape = nil }
  }

  // MARK: Templates

  /// The values that differ between queries of the shape.
  private var values: QueryTemplate.Values {
    var values: [Value] = []
    if case .prepared(let prepared)? = condition { values = prepared.values }
    return QueryTemplate.Values(condition: values, limit: limit, offset: offset)
  }

  private func with(_ values: QueryTemplate.Values) -> RelationalQuery {
    var query = self
    if case .prepared(var prepared)? = condition {
      prepared.values = values.condition
      query.condition = .prepared(prepared)
    }
    (query.limit, query.offset) = (values.limit, values.offset)
    return query
  }

  /// The statement from the cached template.
  var knownStatement: RenderedStatement? {
    if case .template(let template) = known { template.filled(with: values) } else { nil }
  }

  /// A template of statements of the shape; nil when the statement depends on more.
  func template(_ render: (RelationalQuery) -> RenderedStatement) -> QueryTemplate? {
    QueryTemplate(values, orderings: orderings) { render(with($0)) }
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

  /// Counts the rows regardless of the limit and the offset: see `limited`.
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

  /// Adds the condition that selects the rows of the entity in a shared table.
  private func whole(_ condition: SQLExpression?) -> SQLExpression? {
    guard layout.needsTypeCondition, let type = layout.typeColumn else { return condition }
    let names = layout.family.map { Value.text($0.entity.name) }
    let isOfFamily = SQLExpression.isIn(.column(table: Projection.alias, name: type), names)
    return condition.map { .binary(.and, isOfFamily, $0) } ?? isOfFamily
  }

  // MARK: Complexity limits

  /// Wider queries, which leave more to the caller: first the predicate, then the order, then both.
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
    query.shape = nil
    query.residue.filters = true
    var reason = Untranslatable("it is larger or deeper than the database takes")
    reason.part = "the predicate"
    query.unfiltered = reason
    return query
  }

  private var withoutOrder: RelationalQuery {
    var query = self
    query.orderings = []
    query.shape = nil
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
