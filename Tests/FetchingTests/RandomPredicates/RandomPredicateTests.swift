import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random predicates over random voyages. `OSD_PREDICATES` is their number, `OSD_PREDICATE_SEED` the first seed.
@Suite("Random predicates")
struct RandomPredicateTests {
  private static let count = TestOptions.predicates
  private static let seed = TestOptions.predicateSeed
  /// How many predicates share a store.
  private static let batch = 500
  private static let storeSize = 24

  @Test("A store's result equals that of `evaluate`, and a predicate and its negation cover all rows")
  func answers() throws {
    var complaints: [String] = []
    for start in stride(from: 0, to: Self.count, by: Self.batch) {
      let storeSeed = UInt64(Self.seed + start)
      let fleet = try RandomFleet(seed: storeSeed, size: Self.storeSize)
      let oracle = try PredicateOracle(fleet.container)
      for index in start..<min(start + Self.batch, Self.count) {
        let predicate = PredicateGenerator.predicate(fleet, seed: UInt64(Self.seed + index))
        do {
          guard let complaint = try oracle.complaint(about: predicate, limit: index % 3 == 0 ? index % 7 : nil)
          else { continue }
          complaints.append(
            "\(index), store \(start): \(complaint): \(PredicateDescription.shape(of: predicate.expression))")
        } catch {
          complaints.append(
            "\(index), store \(start): \(error): \(PredicateDescription.shape(of: predicate.expression))")
        }
        if complaints.count == 10 { break }
      }
      if complaints.count == 10 { break }
    }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  @Test("Random predicates contain nodes of all kinds and many combinations")
  func coverage() throws {
    let fleet = try RandomFleet(seed: 1, size: 4)
    var kinds = Set<String>()
    var pairs = Set<[String]>()
    func visit(_ node: any PredicateExpression, in outer: String) {
      let kind = PredicateDescription.name(of: node)
      let isTransparent = kind == "AnyNode"
      if !isTransparent {
        kinds.insert(kind)
        pairs.insert([outer, kind])
      }
      for operand in (node as? any SQLTranslatable)?.operands ?? [] { visit(operand, in: isTransparent ? outer : kind) }
    }
    for index in 0..<5000 {
      visit(PredicateGenerator.predicate(fleet, seed: UInt64(Self.seed + index)).expression, in: "")
    }
    let expected: Set = [
      "Arithmetic", "ClosedRange", "CollectionContainsCollection", "CollectionIndexSubscript",
      "CollectionRangeSubscript",
      "Comparison", "Conditional", "ConditionalCast", "Conjunction", "DictionaryKeyDefaultValueSubscript",
      "DictionaryKeySubscript", "Disjunction", "Equal", "ExpressionEvaluate", "Filter", "FloatDivision", "ForceCast",
      "ForcedUnwrap", "IntDivision", "IntRemainder", "KeyPath", "Negation", "NilCoalesce", "NilLiteral", "NotEqual",
      "OptionalFlatMap", "PredicateEvaluate", "Range", "RangeExpressionContains", "SequenceAllSatisfy",
      "SequenceContains", "SequenceContainsWhere", "SequenceMaximum", "SequenceMinimum", "SequenceStartsWith",
      "StringCaseInsensitiveCompare", "StringLocalizedCompare", "StringLocalizedStandardContains", "TypeCheck",
      "UnaryMinus", "Value", "Variable",
    ]
    #expect(expected.subtracting(kinds).isEmpty)
    #expect(pairs.count > 300)
  }
}
