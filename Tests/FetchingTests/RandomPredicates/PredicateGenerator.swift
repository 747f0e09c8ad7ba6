import Foundation
import SwiftData

@testable import TestModels
@testable import TestSupport

/// Makes random conditions on voyages, with all kinds of nodes in all combinations.
///
/// It avoids what stops a Swift program: overflow, division by zero, ranges that end before they begin.
final class PredicateGenerator {
  typealias Build = PredicateExpressions
  typealias Flag = AnyNode<Bool>

  /// The variables that a condition can use.
  struct Scope {
    var voyages: [Build.Variable<Voyage>] = []
    var captains: [Build.Variable<Captain>] = []
    var countries: [Build.Variable<Country>] = []
    var harbors: [Build.Variable<Harbor>] = []
    var crates: [Build.Variable<Crate>] = []
    var integers: [Build.Variable<Int>] = []
    var texts: [Build.Variable<String>] = []
    var reals: [Build.Variable<Double>] = []
    var berths: [Build.Variable<Berth>] = []

    func with<Value>(
      _ list: WritableKeyPath<Scope, [Build.Variable<Value>]>, _ variable: Build.Variable<Value>
    ) -> Scope {
      var scope = self
      scope[keyPath: list].append(variable)
      return scope
    }
  }

  let fleet: RandomFleet
  var source: ValueSource

  init(_ fleet: RandomFleet, seed: UInt64) {
    self.fleet = fleet
    source = ValueSource(SeededGenerator(seed: seed))
  }

  static func predicate(_ fleet: RandomFleet, seed: UInt64) -> Predicate<Voyage> {
    let generator = PredicateGenerator(fleet, seed: seed)
    let depth = generator.source.pick([0, 1, 1, 2, 2, 3])
    return Predicate { voyage in generator.condition(Scope(voyages: [voyage]), depth) }
  }

  // MARK: Conditions

  func condition(_ scope: Scope, _ depth: Int) -> Flag {
    guard depth > 0 else { return test(scope) }
    func inner() -> Flag { condition(scope, depth - 1) }
    switch Int.random(in: 0..<13, using: &source.random) {
    case 0, 1: return Flag(Build.build_Conjunction(lhs: inner(), rhs: inner()))
    case 2, 3: return Flag(Build.build_Disjunction(lhs: inner(), rhs: inner()))
    case 4, 5: return Flag(Build.build_Negation(inner()))
    case 6: return Flag(Build.build_Conditional(inner(), inner(), inner()))
    case 7: return equality(inner(), inner())
    case 8: return truth(maybeFlag(scope, depth - 1))
    case 9: return members(scope, depth - 1)
    case 10: return captured(scope, depth - 1)
    case 11: return evaluated(scope, depth - 1)
    default: return test(scope)
    }
  }

  /// Conditions with captured predicates and expressions.
  private func evaluated(_ scope: Scope, _ depth: Int) -> Flag {
    guard let voyage = scope.voyages.last else { return test(scope) }
    func predicate() -> Predicate<Voyage> {
      Predicate { self.condition(Scope(voyages: [$0]), depth) }
    }
    switch Int.random(in: 0..<4, using: &source.random) {
    case 0: return Flag(Build.build_evaluate(Build.build_Arg(predicate()), voyage))
    case 1:
      let several = (0..<source.pick([0, 1, 3])).map { _ in predicate() }
      let whole = source.flag() ? Predicate(all: several) : Predicate(any: several)
      return Flag(Build.build_evaluate(Build.build_Arg(whole), voyage))
    case 2:
      let amount = Expression<Voyage, Int> { self.integer(Scope(voyages: [$0]), 1) }
      return comparison(AnyNode(Build.build_evaluate(Build.build_Arg(amount), voyage)), integer(scope, 1))
    default:
      let pair = Predicate<Voyage, Int> { self.condition(Scope(voyages: [$0], integers: [$1]), depth) }
      return Flag(Build.build_evaluate(Build.build_Arg(pair), voyage, integer(scope, 1)))
    }
  }

  /// A condition without nested conditions.
  private func test(_ scope: Scope) -> Flag {
    switch Int.random(in: 0..<20, using: &source.random) {
    case 0, 1: comparison(integer(scope, 2), integer(scope, 2))
    case 2: comparison(real(scope, 2), real(scope, 2))
    case 3, 4: comparison(text(scope, 2), text(scope, 2))
    case 5: equality(maybeInteger(scope), maybeInteger(scope))
    case 6: equality(maybeReal(scope), maybeReal(scope))
    case 7: equality(maybeText(scope), maybeText(scope))
    case 8, 9: textTest(text(scope, 1), text(scope, 1))
    case 10: range(scope)
    case 11: membership(scope)
    case 12, 13, 14: otherValues(scope)
    case 15: truth(maybeFlag(scope, 0))
    case 16: elements(scope)
    case 17: models(scope)
    case 18: flag(scope)
    default: unwrapped(scope)
    }
  }

  func flag(_ scope: Scope) -> Flag {
    if source.flag(1, of: 8) { return value(source.flag()) }
    var choices = scope.voyages.map { path($0, \.isOpen) } + scope.captains.map { path($0, \.isRetired) }
    choices += scope.voyages.map { path(path($0, \.harbors), \.isEmpty) }
    choices += scope.voyages.map { path(path($0, \.name), \.isEmpty) }
    return choices.isEmpty ? value(source.flag()) : source.pick(choices)
  }

  /// An optional boolean.
  func maybeFlag(_ scope: Scope, _ depth: Int) -> AnyNode<Bool?> {
    guard let voyage = scope.voyages.last else { return value(source.maybe { $0.flag() }) }
    switch Int.random(in: 0..<7, using: &source.random) {
    case 0: return path(voyage, \.isLate)
    case 1:
      return flatMap(path(voyage, \.captain)) { self.condition(scope.with(\.captains, $0), depth) }
    case 2: return flatMap(path(voyage, \.crew)) { self.condition(scope.with(\.integers, $0), depth) }
    case 3: return flatMap(maybeText(scope)) { self.condition(scope.with(\.texts, $0), depth) }
    case 4: return flatMap(path(voyage, \.lastBerth)) { self.condition(scope.with(\.berths, $0), depth) }
    case 5:
      return flatMap(path(voyage, \.crates)) { crates in
        AnyNode(
          Build.build_contains(crates) { crate in self.condition(scope.with(\.crates, crate), depth) })
      }
    default: return flatMap(path(voyage, \.captain)) { self.path($0, \.isRetired) }
    }
  }

  func truth(_ node: AnyNode<Bool?>) -> Flag {
    source.flag()
      ? AnyNode(Build.build_NilCoalesce(lhs: node, rhs: value(source.flag())))
      : equality(node, value(source.maybe { $0.flag() }))
  }

  // MARK: Parts

  func value<Value: Codable & Sendable>(_ value: Value) -> AnyNode<Value> {
    AnyNode(Build.Value(value))
  }

  func path<Root, Value>(
    _ root: some StandardPredicateExpression<Root>, _ keyPath: any KeyPath<Root, Value> & Sendable
  ) -> AnyNode<Value> {
    AnyNode(Build.build_KeyPath(root: root, keyPath: keyPath))
  }

  func flatMap<Wrapped, Value>(
    _ optional: AnyNode<Wrapped?>, _ transform: (Build.Variable<Wrapped>) -> AnyNode<Value>
  ) -> AnyNode<Value?> {
    AnyNode(Build.build_flatMap(optional, transform))
  }

  func comparison<Value: Comparable>(_ left: AnyNode<Value>, _ right: AnyNode<Value>) -> Flag {
    switch Int.random(in: 0..<6, using: &source.random) {
    case 0: Flag(Build.build_Comparison(lhs: left, rhs: right, op: .lessThan))
    case 1: Flag(Build.build_Comparison(lhs: left, rhs: right, op: .lessThanOrEqual))
    case 2: Flag(Build.build_Comparison(lhs: left, rhs: right, op: .greaterThan))
    case 3: Flag(Build.build_Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual))
    default: equality(left, right)
    }
  }

  func equality<Value: Equatable>(_ left: AnyNode<Value>, _ right: AnyNode<Value>) -> Flag {
    source.flag()
      ? Flag(Build.build_Equal(lhs: left, rhs: right)) : Flag(Build.build_NotEqual(lhs: left, rhs: right))
  }

  func conditional<Value>(_ scope: Scope, _ first: AnyNode<Value>, _ second: AnyNode<Value>) -> AnyNode<Value> {
    AnyNode(Build.build_Conditional(condition(scope, 0), first, second))
  }
}
