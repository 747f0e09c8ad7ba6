import Foundation
import Relational

/// Computes aggregates over models in memory, for queries that a store leaves to its context.
struct AggregateEvaluator<Model: PersistentModel> {
  private let query: AggregateQuery<Model>

  init(_ query: AggregateQuery<Model>) {
    self.query = query
  }

  private struct Group {
    var keys: [Any?]
    var accumulators: [any CellAccumulator]
  }

  func rows(over models: [Model]) throws -> [AggregateRow] {
    var positions: [[AggregateCell]: Int] = [:]
    var groups: [Group] = []
    if query.keys.isEmpty { positions[[]] = add([], to: &groups) }
    for model in models {
      let keys = try query.keys.map { try $0.value(of: model) }
      let cells = keys.map { AggregateCell($0) }
      let position = positions[cells] ?? add(keys, to: &groups)
      positions[cells] = position
      for (column, accumulator) in zip(query.columns, groups[position].accumulators) {
        if let operand = column.operand {
          if let value = try operand.value(of: model) { accumulator.add(value) }
        } else {
          accumulator.add(model)
        }
      }
    }
    return try query.finished(
      groups.map { AggregateRow(cells: $0.keys + (try $0.accumulators.map { try $0.result() })) })
  }

  private func add(_ keys: [Any?], to groups: inout [Group]) -> Int {
    groups.append(Group(keys: keys, accumulators: query.columns.map(Self.accumulator)))
    return groups.count - 1
  }

  private static func accumulator(of column: AggregateColumn) -> any CellAccumulator {
    switch column.function {
    case .count: CountAccumulator()
    case .distinctCount: DistinctCountAccumulator()
    case .minimum: ExtremumAccumulator(.orderedAscending)
    case .maximum: ExtremumAccumulator(.orderedDescending)
    case .arithmetic(let outcome, let arithmetic):
      ArithmeticAccumulator(ArithmeticFunctions.makeAccumulator(outcome, arithmetic), column.resultType)
    }
  }
}

/// Accumulates the non-nil values of one group.
private protocol CellAccumulator: AnyObject {
  func add(_ value: Any)
  func result() throws -> Any?
}

private final class CountAccumulator: CellAccumulator {
  private var count = 0

  func add(_ value: Any) { count += 1 }
  func result() -> Any? { count }
}

private final class DistinctCountAccumulator: CellAccumulator {
  private var cells = Set<AggregateCell>()

  func add(_ value: Any) { cells.insert(AggregateCell(value)) }
  func result() -> Any? { cells.count }
}

private final class ExtremumAccumulator: CellAccumulator {
  private let wanted: ComparisonResult
  private var best: (value: Any, cell: AggregateCell)?

  init(_ wanted: ComparisonResult) {
    self.wanted = wanted
  }

  func add(_ value: Any) {
    // NaN is not ordered, and is never an extremum.
    if let real = value as? any Swift.FloatingPoint, real.isNaN { return }
    if let decimal = value as? Decimal, decimal.isNaN { return }
    let cell = AggregateCell(value)
    guard let best else {
      self.best = (value, cell)
      return
    }
    if cell.compare(best.cell) == wanted { self.best = (value, cell) }
  }

  func result() -> Any? { best?.value }
}

private final class ArithmeticAccumulator: CellAccumulator {
  private let accumulator: any Accumulator
  private let type: any Any.Type

  init(_ accumulator: any Accumulator, _ type: any Any.Type) {
    self.accumulator = accumulator
    self.type = type
  }

  func add(_ value: Any) {
    if let primitive = value as? any _PrimitiveValue { accumulator.add(SingleValueWriter.value(of: primitive)) }
  }

  func result() throws -> Any? {
    guard let type = type as? any _PrimitiveValue.Type else { return nil }
    return SingleValueReader.read(type, from: try accumulator.result())
  }
}
