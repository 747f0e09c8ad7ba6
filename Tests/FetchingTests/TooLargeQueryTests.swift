import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum Letter26: String, Codable, CaseIterable, Comparable, Sendable {
  case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z

  var rank: Int { rawValue.utf8.first.map { Int($0) % 7 } ?? 0 }

  static func < (left: Letter26, right: Letter26) -> Bool { left.rawValue > right.rawValue }
}

extension Letter26? {
  /// Has a value for nil, unlike an optional chain.
  fileprivate var position: Int { self?.rank ?? 99 }
}

@Model
final class Glyph {
  var letter: Letter26
  var former: Letter26?
  var code: UUID
  var size: Double

  init(_ letter: Letter26, _ number: Int) {
    self.letter = letter
    former = number % 3 == 0 ? nil : Letter26.allCases[(number * 5) % 26]
    code = UUID()
    size = Double(number)
  }
}

@Suite("Queries that exceed the database's limits")
struct TooLargeQueryTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let log = StatementLog()

  init() throws {
    container = try log.observe {
      try ModelContainer(for: Glyph.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    context = ModelContext(container)
    for (number, letter) in (Letter26.allCases + Letter26.allCases.reversed()).enumerated() {
      context.insert(Glyph(letter, number))
    }
    try context.save()
  }

  /// Compares all kinds of fetches with Swift's result.
  private func check(_ predicate: Predicate<Glyph>, isInMemory: Bool) throws {
    let all = try context.fetch(FetchDescriptor<Glyph>())
    let expected = try all.filter(predicate.evaluate).map(\.size)
    #expect(!expected.isEmpty && expected.count < all.count)
    var descriptor = FetchDescriptor(predicate: predicate)
    #expect(try context.fetch(descriptor).map(\.size) == expected)
    #expect(try context.fetchCount(descriptor) == expected.count)
    #expect(try context.fetchIdentifiers(descriptor).count == expected.count)
    #expect(try context.fetch(descriptor, batchSize: 5).map(\.size) == expected)
    var visited: [Double] = []
    try context.enumerate(descriptor, batchSize: 5) { visited.append($0.size) }
    #expect(visited == expected)
    #expect(try context.fetchAggregates(.sum(of: \.size), matching: descriptor) == expected.reduce(0, +))
    descriptor.sortBy = [SortDescriptor(\.size, order: .reverse)]
    descriptor.fetchLimit = 2
    #expect(try context.fetch(descriptor).map(\.size) == Array(expected.reversed().prefix(2)))
    context.allowsInMemoryEvaluation = false
    defer { context.allowsInMemoryEvaluation = true }
    if isInMemory {
      #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(descriptor) }
    } else {
      #expect(try context.fetch(descriptor).count == 2)
    }
  }

  @Test("An enumeration with many cases is sorted and compared in SQL")
  func manyCases() throws {
    context.allowsInMemoryEvaluation = false
    let all = try context.fetch(FetchDescriptor<Glyph>())
    let sorted = try context.fetch(FetchDescriptor<Glyph>(sortBy: [.init(\.letter), .init(\.size)]))
    #expect(sorted.map(\.size) == all.sorted { ($0.letter, $0.size) < ($1.letter, $1.size) }.map(\.size))
    let ranked = try context.fetch(FetchDescriptor<Glyph>(sortBy: [.init(\.letter.rank), .init(\.size)]))
    #expect(ranked.map(\.size) == all.sorted { ($0.letter.rank, $0.size) < ($1.letter.rank, $1.size) }.map(\.size))
    context.allowsInMemoryEvaluation = true
    try check(#Predicate { $0.letter.rank > 3 }, isInMemory: false)
    try check(#Predicate { $0.letter.rank * 2 == $0.letter.rank + 4 }, isInMemory: false)
  }

  @Test("Sorting by a property of an optional enumeration uses its value for nil")
  func optionalProperty() throws {
    let all = try context.fetch(FetchDescriptor<Glyph>())
    let expected = all.sorted { ($0.former.position, $0.size) < ($1.former.position, $1.size) }
    let sorted = try context.fetch(FetchDescriptor<Glyph>(sortBy: [.init(\.former.position), .init(\.size)]))
    #expect(sorted.map(\.size) == expected.map(\.size))
    #expect(sorted.last?.former == nil)
  }

  private typealias Build = PredicateExpressions

  @Test("Many nested conditional expressions become one CASE in SQL")
  func ladder() throws {
    let predicate = Predicate<Glyph> { glyph in
      let size = AnyNode(Build.build_KeyPath(root: glyph, keyPath: \.size))
      func chosen(_ limit: Int, _ rest: AnyNode<Double>) -> AnyNode<Double> {
        let isSmaller = Build.build_Comparison(lhs: size, rhs: Build.build_Arg(Double(limit)), op: .lessThan)
        return AnyNode(Build.build_Conditional(isSmaller, Build.build_Arg(Double(limit % 3)), rest))
      }
      let choice = (1...50).reversed().reduce(size) { chosen($1, $0) }
      return Build.build_Equal(lhs: choice, rhs: Build.build_Arg(1.0))
    }
    try check(predicate, isInMemory: false)
  }

  @Test("Deep conditions are evaluated in memory", arguments: [false, true])
  func depth(negates: Bool) throws {
    let predicate = Predicate<Glyph> { glyph in
      let size = AnyNode(Build.build_KeyPath(root: glyph, keyPath: \.size))
      func isLess(_ limit: Int) -> AnyNode<Bool> {
        AnyNode(Build.build_Comparison(lhs: size, rhs: Build.build_Arg(Double(limit)), op: .lessThan))
      }
      return (1...120).reduce(isLess(20)) { nested, depth in
        if negates, depth % 2 == 0 { return AnyNode(Build.build_Negation(nested)) }
        return depth % 4 < 2
          ? AnyNode(Build.build_Conjunction(lhs: isLess(30 + depth), rhs: nested))
          : AnyNode(Build.build_Disjunction(lhs: isLess(depth % 7), rhs: nested))
      }
    }
    try check(predicate, isInMemory: true)
  }

  @Test("Nested predicates are evaluated in memory")
  func nestedPredicates() throws {
    let isSmall = #Predicate<Glyph> { $0.size < 20 }
    let predicate = (0..<2500).reduce(isSmall) { nested, _ in Predicate(any: [nested, isSmall]) }
    try check(predicate, isInMemory: true)
  }

  /// Expects that a predicate is refused with a reason, with and without models.
  private func expectTooDeep(_ predicate: Predicate<Glyph>, limit: Int) throws {
    let descriptor = FetchDescriptor(predicate: predicate)
    for context in [context, try makeContainer(Glyph.self).freshContext()] {
      context.autosaveEnabled = false
      let error = #expect(throws: SwiftDataError.self) { try context.fetch(descriptor) }
      #expect(error == .unsupportedPredicate)
      #expect(error?.details?.message?.contains("nested more than \(limit) levels deep") == true)
      #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetchCount(descriptor) }
      #expect(throws: SwiftDataError.unsupportedPredicate) {
        try context.fetchAggregates(.sum(of: \.size), matching: descriptor)
      }
      context.insert(Glyph(.a, 99))
      #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(descriptor) }
      context.rollback()
    }
  }

  @Test("Predicates that are nested too deep to be evaluated are refused")
  func tooDeepPredicates() throws {
    let isSmall = #Predicate<Glyph> { $0.size < 20 }
    try expectTooDeep((0..<3_100).reduce(isSmall) { nested, _ in Predicate(any: [nested, isSmall]) }, limit: 3_000)
  }

  @Test("Predicates that only wrap another one count as levels of nesting")
  func tooDeepWrappers() throws {
    let isSmall = #Predicate<Glyph> { $0.size < 20 }
    try expectTooDeep((0..<3_100).reduce(isSmall) { nested, _ in Predicate(all: [nested]) }, limit: 3_000)
  }

  @Test("Predicates whose arithmetic has to be checked are refused at a smaller depth")
  func tooDeepArithmetic() throws {
    let isLow = #Predicate<Glyph> { $0.letter.rank + 1 < 3 }
    try expectTooDeep((0..<1_100).reduce(isLow) { nested, _ in Predicate(any: [nested, isLow]) }, limit: 1_000)
  }

  @Test("Conditions that are nested too deep to be evaluated are refused")
  func tooDeepConditions() throws {
    let predicate = Predicate<Glyph> { glyph in
      let size = AnyNode(Build.build_KeyPath(root: glyph, keyPath: \.size))
      let isLess = AnyNode(Build.build_Comparison(lhs: size, rhs: Build.build_Arg(20.0), op: .lessThan))
      return (0..<3_100).reduce(isLess) { nested, _ in AnyNode(Build.build_Conjunction(lhs: isLess, rhs: nested)) }
    }
    try expectTooDeep(predicate, limit: 3_000)
  }

  @Test("More captured values than a statement has parameters are looked up in the database")
  func capturedValues() throws {
    let some = try context.fetch(FetchDescriptor<Glyph>()).prefix(9).map(\.code)
    let codes = Set(some + (0..<260_000).map { _ in UUID() })
    try check(#Predicate { codes.contains($0.code) }, isInMemory: false)
  }

  @Test("The largest limit means no limit, and the largest offset skips all models")
  func largestLimits() throws {
    let changed = try #require(try context.fetch(FetchDescriptor<Glyph>()).first)
    changed.size = 1_000
    context.insert(Glyph(.a, 2_000))
    for (limit, offset) in [(Int.max, nil), (.max, 1), (.max, .max), (nil, .max), (3, .max)] as [(Int?, Int?)] {
      var descriptor = FetchDescriptor<Glyph>(sortBy: [.init(\.size)])
      descriptor.fetchLimit = limit
      descriptor.fetchOffset = offset
      let expected = offset == .max ? 0 : 53 - (offset ?? 0)
      #expect(try context.fetch(descriptor).count == expected)
      #expect(try context.fetchCount(descriptor) == expected)
    }
  }
}
