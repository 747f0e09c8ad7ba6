import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Model
final class Gauge {
  var name: String
  var reading: Int
  var divisor: Int
  var level: UInt8
  var limit: Int?
  var series: [Int]
  var spare: Int?

  init(
    _ name: String, reading: Int = 1, divisor: Int = 1, level: UInt8 = 1, limit: Int? = 1, series: [Int] = [1]
  ) {
    self.name = name
    self.reading = reading
    self.divisor = divisor
    self.level = level
    self.limit = limit
    self.series = series
  }

  /// Has no translation.
  var isOdd: Bool { !reading.isMultiple(of: 2) }
}

/// Values with which Swift's operators stop the process.
@Suite("Predicates on which Swift would trap")
struct EvaluationCheckTests {
  /// A predicate that cannot be evaluated for `"bad"`, and is true for `"good"`.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let predicate: Predicate<Gauge>
    let reason: String

    init(_ description: String, _ reason: String, _ predicate: Predicate<Gauge>) {
      testDescription = description
      self.reason = reason
      self.predicate = predicate
    }
  }

  static let cases: [Case] = {
    let (one, minusOne, largest) = (1, -1, Int.max)
    return [
      Case("+", "an overflow of Int", #Predicate { $0.reading + 1 > 0 }),
      Case("-", "an overflow of Int", #Predicate { minusOne - $0.reading - 1 < 0 && $0.reading - minusOne > 0 }),
      Case("*", "an overflow of Int", #Predicate { $0.reading * 2 > 0 }),
      Case("* of UInt8", "an overflow of UInt8", #Predicate { $0.level * 2 > 0 }),
      Case("/", "a division by zero", #Predicate { $0.reading / $0.divisor == 1 }),
      Case("%", "a division by zero", #Predicate { $0.reading % $0.divisor == 0 }),
      Case("unary -", "an overflow of Int", #Predicate { -(-$0.reading - one) > 0 && -(-2 - $0.reading + one) > 0 }),
      Case("of a captured value", "an overflow of Int", #Predicate { $0.name == "good" || largest + one > 0 }),
      Case("...", "a range", #Predicate { ($0.reading...2).contains(1) }),
      Case("of an operand", "an overflow of Int", #Predicate { [2, 3].contains($0.reading + 1) }),
      Case("after &&", "an overflow of Int", #Predicate { $0.level > 0 && $0.reading + 1 > 0 }),
      Case("after ||", "an overflow of Int", #Predicate { $0.level < 1 || $0.reading + 1 > 0 }),
      Case("after !", "an overflow of Int", #Predicate { !($0.reading + 1 < 0) }),
      Case(
        "in the first branch of a conditional", "an overflow of Int",
        #Predicate { ($0.level > 0 ? $0.reading + 1 : 0) > 0 }),
      Case(
        "in the second branch of a conditional", "an overflow of Int",
        #Predicate { ($0.level < 1 ? 0 : $0.reading + 1) > 0 }),
      Case("of an unwrapped value", "an overflow of Int", #Predicate { $0.limit.flatMap { $0 + 1 } ?? 0 > 0 }),
      Case("instead of nil", "an overflow of Int", #Predicate { ($0.spare ?? ($0.reading + 1)) > 0 }),
      Case("of an element", "an overflow of Int", #Predicate { $0.series.contains { $0 + 1 == 2 } }),
      Case("of all elements", "an overflow of Int", #Predicate { $0.series.allSatisfy { $0 + 1 > 0 } }),
      Case("of filtered elements", "an overflow of Int", #Predicate { $0.series.filter { $0 + 1 > 0 }.count == 1 }),
      Case("of an index", "an overflow of Int", #Predicate { $0.series[$0.reading + 1 - 2] == 1 }),
      inAnExpression(), inACapturedPredicate(),
    ]
  }()

  private static func inAnExpression() -> Case {
    let increased = #Expression<Gauge, Int> { $0.reading + 1 }
    return Case(
      "in an expression", "an overflow of Int",
      Predicate {
        PredicateExpressions.build_Comparison(
          lhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(increased), $0),
          rhs: PredicateExpressions.build_Arg(0), op: .greaterThan)
      })
  }

  private static func inACapturedPredicate() -> Case {
    let isPositive = #Predicate<Gauge> { $0.reading + 1 > 0 }
    return Case(
      "in a captured predicate", "an overflow of Int",
      Predicate { PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(isPositive), $0) })
  }

  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Gauge.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.insert(Gauge("good"))
    try context.save()
  }

  private var bad: Gauge {
    Gauge("bad", reading: .max, divisor: 0, level: .max, limit: .max, series: [.max])
  }

  private func expectTrap(_ expected: Case, _ body: () throws -> Void) {
    let error = #expect(throws: SwiftDataError.self) { try body() }
    #expect(error == .unsupportedPredicate)
    #expect(error?.details?.message?.contains(expected.reason) == true, "\(String(describing: error))")
  }

  @Test("A predicate that would trap on an unsaved value is an error", arguments: cases)
  func unsavedValue(tried: Case) throws {
    context.insert(bad)
    expectTrap(tried) { _ = try context.fetch(FetchDescriptor(predicate: tried.predicate)) }
    expectTrap(tried) { _ = try context.fetchCount(FetchDescriptor(predicate: tried.predicate)) }
    context.rollback()
    #expect(try context.fetch(FetchDescriptor(predicate: tried.predicate)).map(\.name) == ["good"])
  }

  @Test("A predicate that would trap on a saved value is an error when it is evaluated in memory", arguments: cases)
  func savedValue(tried: Case) throws {
    context.insert(bad)
    try context.save()
    // In-memory evaluation evaluates the second part only where the first does not decide.
    let predicate = tried.predicate
    let odd = Predicate<Gauge> { gauge in
      PredicateExpressions.build_Conjunction(
        lhs: PredicateExpressions.build_KeyPath(root: gauge, keyPath: \.isOdd),
        rhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(predicate), gauge))
    }
    let other = ModelContext(container)
    do {
      // The database may exclude the row by itself.
      #expect(try other.fetch(FetchDescriptor(predicate: odd)).map(\.name) == ["good"])
    } catch {
      expectTrap(tried) { throw error }
    }
    try context.delete(model: Gauge.self, where: #Predicate { $0.name == "bad" })
    try context.save()
    #expect(try other.fetch(FetchDescriptor(predicate: odd)).map(\.name) == ["good"])
  }

  @Test("A part of a predicate that would trap, but is not evaluated, is no error")
  func unevaluatedPart() throws {
    context.insert(bad)
    let (two, none) = (2, Int?.none)
    let predicates: [Predicate<Gauge>] = [
      #Predicate { $0.divisor != 0 && $0.reading / $0.divisor == 1 },
      #Predicate { !($0.divisor == 0 || $0.reading % $0.divisor != 0) },
      #Predicate { ($0.divisor == 0 ? 5 : $0.reading / $0.divisor) == 1 },
      #Predicate { ($0.divisor == 0 ? $0.divisor - 1 : 3 / $0.divisor) == 3 },
      #Predicate { $0.limit ?? ($0.reading * two) == 1 },
      #Predicate { $0.name == "good" && none.flatMap { $0 + 1 } == nil },
      #Predicate { $0.series.filter { $0 < 9 }.contains { $0 + 1 == 2 } },
      #Predicate { $0.series.filter { $0 < 9 }.allSatisfy { $0 + 1 == 2 } && $0.reading < 2 },
      #Predicate { $0.series.contains { $0 == 1 || ($0 < 5 && $0 + 1 == 5) } },
    ]
    for (place, predicate) in predicates.enumerated() {
      #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name) == ["good"], "\(place)")
    }
  }

  @Test("An aggregate whose expression would trap is an error")
  func aggregate() throws {
    context.insert(bad)
    let quotient = #Expression<Gauge, Int> { $0.reading / $0.divisor }
    let error = #expect(throws: SwiftDataError.self) { try context.fetchAggregates(.maximum(of: quotient)) }
    #expect(error == .unsupportedPredicate)
    context.rollback()
    #expect(try context.fetchAggregates(.maximum(of: quotient)) == 1)
  }
}
