import Foundation

/// A query for aggregates over the models that a descriptor selects. Without keys all models are one group.
struct AggregateQuery<Model: PersistentModel> {
  /// A cell by which groups are ordered.
  struct Ordering {
    /// The position in the cells of a row.
    var cell: Int
    var isDescending: Bool
  }

  /// Has sort descriptors only when it has a limit or an offset: only then the order decides which models are selected.
  let descriptor: FetchDescriptor<Model>
  let keys: [AggregateOperand]
  /// The requested aggregates, followed by aggregates that only the order of the groups needs.
  private(set) var columns: [AggregateColumn]
  private let selectedCount: Int
  let having: GroupCondition?
  /// Ends with the keys.
  private(set) var orderings: [Ordering] = []
  let limit: Int?
  let offset: Int

  init(
    _ descriptor: FetchDescriptor<Model>, keys: [AggregateOperand] = [], columns: [AggregateColumn],
    having: GroupCondition? = nil, sortBy: [GroupSortDescriptor<Model>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws {
    var base = descriptor
    if base.limit == nil, (base.fetchOffset ?? 0) <= 0 { base.sortBy = [] }
    self.descriptor = base
    self.keys = keys
    self.columns = columns
    self.having = having
    self.limit = limit
    self.offset = offset ?? 0
    selectedCount = columns.count
    for operand in keys + columns.compactMap(\.operand) + sortBy.compactMap(\.operand) {
      try operand.check(for: Model.self)
    }
    for (name, number) in [("limit", limit), ("offset", offset)] {
      if let number, number < 0 {
        throw SwiftDataError.invalidFetchDescriptor.with(
          entity: ModelRuntime.of(Model.self).entityName.string, property: keys.count == 1 ? keys[0].name : nil,
          message: "\(name) must not be negative (was \(number)).")
      }
    }
    orderings = try sortBy.map { try ordering(of: $0) }
    for cell in keys.indices where !orderings.contains(where: { $0.cell == cell }) {
      orderings.append(Ordering(cell: cell, isDescending: false))
    }
  }

  private mutating func ordering(of descriptor: GroupSortDescriptor<Model>) throws -> Ordering {
    let runtime = ModelRuntime.of(Model.self)
    let cell: Int
    switch descriptor.criterion {
    case .key(let operand):
      guard let key = keys.firstIndex(where: { $0.isSame(as: operand, for: runtime) }) else {
        throw SwiftDataError.unsupportedSortDescriptor.with(
          entity: runtime.entityName.string, property: operand.name,
          message: "Groups cannot be ordered by \(operand.name), because it is not one of their keys.",
          hint: "Order them by one of their keys, or by an aggregate such as the minimum.")
      }
      cell = key
    case .aggregate(let column):
      if let known = columns.firstIndex(where: { $0.isSame(as: column, for: runtime) }) {
        cell = keys.count + known
      } else {
        columns.append(column)
        cell = keys.count + columns.count - 1
      }
    }
    return Ordering(cell: cell, isDescending: descriptor.order == .reverse)
  }

  /// The types of the models, other than the selected ones, that the result may depend on. Nil when unsure.
  var visitedTypes: [any PersistentModel.Type]? {
    let runtime = ModelRuntime.of(Model.self)
    var visited: [any PersistentModel.Type] = []
    for operand in keys + columns.compactMap(\.operand) {
      guard let types = operand.visitedTypes(runtime) else { return nil }
      visited += types
    }
    return visited
  }

  /// The error of a sum that overflows.
  var overflow: SwiftDataError {
    let sums = columns.filter {
      switch $0.function {
      case .arithmetic(.sum, .integer), .arithmetic(.sum, .unsignedInteger): true
      default: false
      }
    }
    let names = sums.compactMap { $0.operand?.name }
    return SwiftDataError.aggregateOverflow.with(
      entity: ModelRuntime.of(Model.self).entityName.string, property: names.count == 1 ? names[0] : nil,
      message: "The sum of \(names.joined(separator: " or ")) is too large for its type.")
  }

  /// Applies the condition, the order, the limit and the offset to the rows of groups, which may be in any order.
  func finished(_ rows: [AggregateRow]) throws -> [AggregateRow] {
    var rows = rows
    if let having {
      rows = try rows.filter { try having.evaluate($0.cells[keys.count..<(keys.count + selectedCount)]) }
    }
    let cells = rows.map { row in orderings.map { AggregateCell(row.cells[$0.cell]) } }
    let order = rows.indices.sorted { left, right in
      for (position, ordering) in orderings.enumerated() {
        switch cells[left][position].compare(cells[right][position]) {
        case .orderedAscending: return !ordering.isDescending
        case .orderedDescending: return ordering.isDescending
        case .orderedSame: continue
        }
      }
      return left < right
    }
    let rest = order.dropFirst(offset)
    return (limit.map { rest.prefix($0) } ?? rest).map { rows[$0] }
  }
}

/// A group: its keys and the results of its aggregates. Values are not wrapped in optionals, and a missing value is
/// nil; models are given by their identifiers.
struct AggregateRow {
  var cells: [Any?]
}

/// The condition on the aggregates that selects groups, without the static types of the aggregates.
struct GroupCondition {
  let evaluate: (ArraySlice<Any?>) throws -> Bool
  let body: ExpressionBody

  init<each Value>(_ predicate: Predicate<repeat each Value>) {
    let checked = CheckedPredicate(predicate)
    evaluate = { cells in
      var cells = cells
      return try checked.evaluate(repeat try AggregateCell.cast(cells.popFirst() ?? nil, to: (each Value).self))
    }
    var variables: [PredicateExpressions.VariableID] = []
    repeat variables.append((each predicate.variable).key)
    body = ExpressionBody(variables: variables, expression: predicate.expression)
  }
}
