import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Descriptors of the same shape share their statement")
struct QueryTemplateTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let store: RelationalStore

  init() throws {
    container = try makeContainer(Pebble.self)
    context = ModelContext(container)
    for size in 0..<60 { context.insert(Pebble(size)) }
    try context.save()
    store = try #require(context.graph.requireBinding(for: Pebble.self).session as? RelationalSession).store
  }

  private func descriptor(
    over least: Int, _ order: [SortDescriptor<Pebble>], limit: Int?, offset: Int?
  ) -> FetchDescriptor<Pebble> {
    var descriptor = FetchDescriptor<Pebble>(predicate: #Predicate { $0.size > least }, sortBy: order)
    (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
    return descriptor
  }

  private static let orders: [[SortDescriptor<Pebble>]] = [
    [], [SortDescriptor(\.size)], [SortDescriptor(\.size, order: .reverse)],
    [SortDescriptor(\.color), SortDescriptor(\.size)], [SortDescriptor(\.color, order: .reverse)],
    [SortDescriptor(\.color, comparator: .lexical, order: .reverse), SortDescriptor(\.size)],
  ]

  /// The sizes that a descriptor selects from all pebbles, in their order in the store.
  private func selected(
    _ pebbles: [Pebble], over least: Int, _ order: [SortDescriptor<Pebble>], limit: Int?, offset: Int?
  ) -> [Int] {
    let sorted = pebbles.filter { $0.size > least }.enumerated().sorted { left, right in
      for descriptor in order {
        switch descriptor.compare(left.element, right.element) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return left.offset < right.offset
    }.map(\.element.size)
    return Array(sorted.dropFirst(offset ?? 0).prefix(limit.flatMap { $0 == 0 ? nil : $0 } ?? .max))
  }

  @Test("Each fetch, count and list of identifiers of a shape uses the values of its own descriptor")
  func values() throws {
    let all = try context.fetch(FetchDescriptor<Pebble>())
    let bounds: [(limit: Int?, offset: Int?)] = [
      (nil, nil), (7, nil), (nil, 3), (5, 11), (0, 2), (9, 0), (.max, 1), (4, .max), (1, 50),
    ]
    for round in 0..<4 {
      for order in Self.orders {
        for (limit, offset) in bounds {
          let least = round * 13 - 2
          let (limit, offset) = (limit.map { $0 == .max ? $0 : $0 + round }, offset)
          let descriptor = descriptor(over: least, order, limit: limit, offset: offset)
          let expected = selected(all, over: least, order, limit: limit, offset: offset)
          let fresh = ModelContext(container)
          #expect(try fresh.fetch(descriptor).map(\.size) == expected)
          #expect(try fresh.fetchCount(descriptor) == expected.count)
          let identifiers = try fresh.fetchIdentifiers(descriptor)
          #expect(identifiers.map { (fresh.model(for: $0) as? Pebble)?.size } == expected)
        }
      }
    }
  }

  @Test("A statement that was made twice is known, with placeholders for its values")
  func known() throws {
    let order = [SortDescriptor(\Pebble.color), SortDescriptor(\Pebble.size)]
    for (round, least) in [3, 9, 27, 40].enumerated() {
      let descriptor = descriptor(over: least, order, limit: 5 + round, offset: 2 + round)
      let query = try RelationalQuery(descriptor, store, for: .rows)
      if round == 0, case .template = query.known { Issue.record("Nothing was made yet.") }
      _ = try context.fetch(descriptor)
      _ = try context.fetch(descriptor)
    }
    let descriptor = descriptor(over: 17, order, limit: 8, offset: 4)
    let statement = try #require(try RelationalQuery(descriptor, store, for: .rows).knownStatement)
    #expect(statement.parameters == [.integer(17), .integer(8), .integer(4)])
    #expect(try RelationalQuery(descriptor, store, for: .count).knownStatement == nil)
  }

  @Test("A template is not used for descriptors with another statement")
  func differences() throws {
    let base = FetchDescriptor<Pebble>(sortBy: [SortDescriptor(\.size)])
    var (limited, later, first, partial, reversed) = (base, base, base, base, base)
    limited.fetchLimit = 3
    later.fetchOffset = 3
    first.fetchOffset = 0
    partial.propertiesToFetch = [\.size]
    reversed.sortBy[0].order = .reverse
    func shape(_ descriptor: FetchDescriptor<Pebble>, _ result: FetchResultType = .rows) -> QueryShape? {
      QueryShape(descriptor, nil, entity: 0, for: result)
    }
    let shapes = [
      shape(base), shape(limited), shape(later), shape(reversed), shape(base, .keys), shape(base, .count),
      shape(FetchDescriptor<Pebble>()), shape(FetchDescriptor<Pebble>(sortBy: [SortDescriptor(\.color)])),
    ].compactMap { $0 }
    #expect(shapes.count == 8)
    #expect(Set(shapes).count == 8)
    #expect(shape(first) == shape(base))
    #expect(shape(partial) == nil)
    #expect(shape(base, .pages) == nil)
    #expect(QueryShape(base, .isNull(.column(table: "t0", name: "size")), entity: 0, for: .rows) == nil)
  }

  @Test("No template is made when a value is transformed or ambiguous")
  func unfit() {
    let values = QueryTemplate.Values(condition: [.integer(1), .integer(1)], limit: 5, offset: nil)
    func template(_ parameters: @escaping (QueryTemplate.Values) -> [Value]) -> QueryTemplate? {
      QueryTemplate(values, orderings: []) { .init(sql: "?", parameters: parameters($0)) }
    }
    #expect(template { $0.condition + [.integer(Int64($0.limit ?? 0))] } != nil)
    #expect(template { $0.condition + [.integer(Int64($0.limit ?? 0) + 1)] } == nil)
    #expect(template { Array($0.condition.prefix($0.limit == 5 ? 1 : 2)) } == nil)
    let filled = template { [.text("x"), $0.condition[1], .integer(Int64($0.limit ?? 0)), $0.condition[0]] }?
      .filled(with: .init(condition: [.integer(3), .text("y")], limit: 9, offset: nil))
    #expect(filled?.parameters == [.text("x"), .text("y"), .integer(9), .integer(3)])
  }
}
