import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Pebble {
  var size: Int
  var color: String
  var code: UUID

  init(_ size: Int) {
    self.size = size
    color = ["grey", "red", "white"][size % 3]
    code = UUID()
  }
}

@Suite("Fetches that exceed the database's limits")
struct FetchPlanTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let log = StatementLog()
  private let faults = CallFailures()

  init() throws {
    let faults = faults
    container = try log.observe {
      try DatabaseInterception.$wrap.withValue(faults.wrap) { try makeContainer(Pebble.self) }
    }
    context = ModelContext(container)
    for size in 0..<40 { context.insert(Pebble(size)) }
    try context.save()
  }

  private typealias Build = PredicateExpressions

  /// Selects the sizes up to 19 with a condition too deep for a statement.
  private static var deep: Predicate<Pebble> {
    Predicate<Pebble> { pebble in
      let size = AnyNode(Build.build_KeyPath(root: pebble, keyPath: \.size))
      func isLess(_ limit: Int) -> AnyNode<Bool> {
        AnyNode(Build.build_Comparison(lhs: size, rhs: Build.build_Arg(limit), op: .lessThan))
      }
      return (1...120).reduce(isLess(20)) { nested, depth in
        depth % 2 == 0
          ? AnyNode(Build.build_Conjunction(lhs: isLess(30 + depth), rhs: nested))
          : AnyNode(Build.build_Disjunction(lhs: isLess(0), rhs: nested))
      }
    }
  }

  private func session(_ context: ModelContext) throws -> any StoreSession {
    try context.graph.requireBinding(for: Pebble.self).session
  }

  private static let manyKeys = (0..<2_100).map { SortDescriptor(\Pebble.size, order: $0 == 0 ? .reverse : .forward) }

  @Test(
    "The plan names the parts that exceed the database's limits before a row is read",
    arguments: [FetchResultType.rows, .pages, .keys, .count])
  func deepPredicate(_ result: FetchResultType) throws {
    let session = try session(context)
    let statements = try log.queries {
      let plan = try session.plan(FetchDescriptor(predicate: Self.deep), for: result, allowsResidue: true)
      #expect(plan.residue == FetchResidue(filters: true))
      let error = #expect(throws: SwiftDataError.self) {
        try session.plan(FetchDescriptor(predicate: Self.deep), for: result, allowsResidue: false)
      }
      #expect(error == .unsupportedPredicate)
      #expect(error?.details?.message?.contains("larger or deeper than the database takes") == true)
    }
    #expect(statements == [])
  }

  @Test("A fetch, a count, a fetch of identifiers and a sum take one statement each")
  func statements() throws {
    let descriptor = FetchDescriptor(predicate: Self.deep, sortBy: [SortDescriptor(\.size)])
    let expected = Array(0..<20)
    var queries = try log.queries { () throws in #expect(try context.fetch(descriptor).map(\.size) == expected) }
    #expect(queries.count == 1)
    #expect(queries.first?.contains("WHERE") == false)
    #expect(queries.first?.contains("ORDER BY \"t0\".\"size\"") == true)
    queries = try log.queries { () throws in #expect(try context.fetchCount(descriptor) == 20) }
    #expect(queries.count == 1)
    queries = try log.queries { () throws in #expect(try context.fetchIdentifiers(descriptor).count == 20) }
    #expect(queries.count == 1)
    queries = try log.queries { () throws in
      #expect(try context.fetchAggregates(.sum(of: \.size), matching: descriptor) == 190)
    }
    #expect(queries.count == 1)
  }

  @Test("A descriptor that the database can apply as a whole takes one statement, prepared once")
  func plain() throws {
    let descriptor = FetchDescriptor<Pebble>(predicate: #Predicate { $0.size < 5 }, sortBy: [SortDescriptor(\.color)])
    // Preparing and seven steps at most, or the one to the count.
    faults.fail(7...Int.max)
    #expect(try context.fetch(descriptor).count == 5)
    faults.fail(3...Int.max)
    #expect(try context.fetchCount(descriptor) == 5)
    faults.stop()
  }

  @Test("With too many sort descriptors the context sorts, and the database applies the predicate")
  func manyKeys() throws {
    var descriptor = FetchDescriptor<Pebble>(predicate: #Predicate { $0.color == "red" }, sortBy: Self.manyKeys)
    descriptor.fetchLimit = 3
    let plan = try session(context).plan(descriptor, for: .rows, allowsResidue: true)
    #expect(plan.residue == FetchResidue(sorts: true))
    let queries = try log.queries { () throws in #expect(try context.fetch(descriptor).map(\.size) == [37, 34, 31]) }
    #expect(queries.count == 1)
    #expect(queries.first?.contains("WHERE") == true)
    #expect(try context.fetchIdentifiers(descriptor).count == 3)
    #expect(try context.fetchCount(descriptor) == 3)
    var visited: [Int] = []
    try context.enumerate(descriptor, batchSize: 2) { visited.append($0.size) }
    #expect(visited == [37, 34, 31])
    context.allowsInMemoryEvaluation = false
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(descriptor) }
    #expect(error == .unsupportedSortDescriptor)
    #expect(error?.details?.message?.contains("more than the database takes") == true)
  }

  @Test("The predicate and the sort descriptors can both exceed the limits")
  func both() throws {
    let descriptor = FetchDescriptor(predicate: Self.deep, sortBy: Self.manyKeys)
    let plan = try session(context).plan(descriptor, for: .rows, allowsResidue: true)
    #expect(plan.residue == FetchResidue(filters: true, sorts: true))
    #expect(try context.fetch(descriptor).map(\.size) == (0..<20).reversed())
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(descriptor) }
  }

  @Test(
    "The database evaluates thousands of conditions and a hundred thousand captured values",
    arguments: [false, true])
  func large(capturesMany: Bool) throws {
    let some = try context.fetch(FetchDescriptor<Pebble>(sortBy: [SortDescriptor(\.size)])).prefix(7)
    let codes = Set(some.map(\.code) + (0..<100_000).map { _ in UUID() })
    let conditions = (0..<3_000).map { number in #Predicate<Pebble> { $0.size == number * 10 } }
    let predicate = capturesMany ? #Predicate<Pebble> { codes.contains($0.code) } : Predicate(any: conditions)
    let expected = capturesMany ? Array(0..<7) : [0, 10, 20, 30]
    let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.size)])
    let queries = try log.queries { () throws in #expect(try context.fetch(descriptor).map(\.size) == expected) }
    #expect(queries.count == 1)
    #expect(try context.fetchCount(descriptor) == expected.count)
    context.insert(Pebble(10))
    #expect(try context.fetchCount(descriptor) == expected.count + (capturesMany ? 0 : 1))
  }

  @Test("Deletions and aggregates over pending changes work with a predicate that is too deep")
  func deletion() throws {
    try context.delete(model: Pebble.self, where: Self.deep)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Pebble>()) == 20)
    context.insert(Pebble(3))
    #expect(try context.fetchAggregates(.sum(of: \.size), matching: FetchDescriptor(predicate: Self.deep)) == 3)
  }

  // MARK: Limits that the database reports only when a statement runs

  private static let red = FetchDescriptor<Pebble>(
    predicate: #Predicate { $0.color == "red" }, sortBy: [SortDescriptor(\.size)])

  @Test(
    "A statement that exceeds a limit before its first row is replaced by a smaller one",
    arguments: 0...1)
  func lateRefusal(call: Int) throws {
    let expected = (0..<40).filter { $0 % 3 == 1 }
    func refusing<Result>(_ body: () throws -> Result) rethrows -> Result {
      faults.fail(call...call, with: .tooComplex)
      defer { faults.stop() }
      return try body()
    }
    #expect(try refusing { try context.fetch(Self.red) }.map(\.size) == expected)
    #expect(try refusing { try context.fetchCount(Self.red) } == expected.count)
    #expect(try refusing { try context.fetchIdentifiers(Self.red) }.count == expected.count)
    #expect(try refusing { try context.fetch(Self.red, batchSize: 5) }.map(\.size) == expected)
    #expect(try refusing { try context.fetchAggregates(.sum(of: \.size), matching: Self.red) } == expected.reduce(0, +))
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try refusing { try context.fetch(Self.red) } }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try refusing { try context.fetchCount(Self.red) } }
  }

  @Test("The context applies the limit after a statement exceeded the database's limits")
  func lateLimit() throws {
    var descriptor = Self.red
    descriptor.fetchLimit = 2
    descriptor.fetchOffset = 1
    faults.fail(0...0, with: .tooComplex)
    #expect(try context.fetch(descriptor).map(\.size) == [4, 7])
    context.insert(Pebble(1))
    faults.fail(0...1, with: .tooComplex)
    #expect(try context.fetch(descriptor).map(\.size) == [1, 4])
    faults.stop()
  }

  @Test("A refusal after the first row, or of a statement that cannot be simplified, is an error")
  func errors() throws {
    for calls in [2...2, 0...Int.max] {
      faults.fail(calls, with: .tooComplex)
      #expect(throws: SwiftDataError.storeFailure) { try context.fetch(Self.red) }
      faults.stop()
    }
    faults.fail(0...Int.max, with: .tooComplex)
    #expect(throws: SwiftDataError.storeFailure) { try context.fetch(FetchDescriptor<Pebble>()) }
    #expect(throws: SwiftDataError.storeFailure) { try context.fetchCount(FetchDescriptor<Pebble>()) }
    faults.stop()
    #expect(try context.fetchCount(FetchDescriptor<Pebble>()) == 40)
  }

  @Test("A fetch fails when the database fails to prepare its statement")
  func failedQuestion() throws {
    faults.fail(0...0, with: .busy)
    let error = #expect(throws: SwiftDataError.storeFailure) {
      try context.fetch(FetchDescriptor(predicate: Self.deep))
    }
    #expect(error?.details?.storeFailureReason == .busy)
    faults.stop()
  }

  @Test("In-memory evaluation does not use pending changes when they are excluded")
  func withoutPending() throws {
    for pebble in try context.fetch(FetchDescriptor<Pebble>()) where pebble.size < 3 { pebble.size += 100 }
    context.insert(Pebble(5))
    var descriptor = FetchDescriptor(predicate: Self.deep)
    #expect(try context.fetchCount(descriptor) == 18)
    descriptor.includePendingChanges = false
    #expect(try context.fetchCount(descriptor) == 20)
    faults.fail(0...0, with: .tooComplex)
    var red = Self.red
    red.includePendingChanges = false
    #expect(try context.fetch(red).count == 13)
    faults.stop()
  }
}
