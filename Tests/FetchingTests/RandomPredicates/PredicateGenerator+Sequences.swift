import Foundation
import FoundationSupplements
import SwiftData

@testable import TestModels

extension PredicateGenerator {
  func textTest(_ text: AnyNode<String>, _ other: AnyNode<String>) -> Flag {
    switch Int.random(in: 0..<7, using: &source.random) {
    case 0: Flag(Build.build_contains(text, other))
    case 1: Flag(Build.build_starts(text, with: other))
    case 2: Flag(Build.build_localizedStandardContains(text, other))
    case 3: Flag(Build.build_contains(text, Build.build_Arg(source.pick(Self.patterns))))
    case 4: equality(AnyNode(Build.build_caseInsensitiveCompare(text, other)), value(.orderedSame))
    case 5:
      comparison(path(AnyNode(Build.build_localizedCompare(text, other)), \.rawValue), value(source.pick([-1, 0, 1])))
    default: path(text, \.isEmpty)
    }
  }

  private static var patterns: [Regex<Substring>] { [/a+/, /^[A-Z]/, /é/, /\d$/, /^.$/] }

  func range(_ scope: Scope) -> Flag {
    switch Int.random(in: 0..<5, using: &source.random) {
    case 0:
      let bounds = [source.pick(RandomFleet.integers), source.pick(RandomFleet.integers)].sorted()
      return Flag(Build.build_contains(value(bounds[0]..<bounds[1]), integer(scope, 1)))
    case 1:
      let numbers = [1.0, -3.25, 10, 1e300, -.infinity, .infinity]
      let bounds = [source.pick(numbers), source.pick(numbers)].sorted()
      return Flag(Build.build_contains(value(bounds[0]...bounds[1]), real(scope, 1)))
    case 2:
      let bounds = [source.text(), source.text()].sorted()
      return Flag(Build.build_contains(value(bounds[0]...bounds[1]), text(scope, 1)))
    case 3: return Flag(Build.build_contains(value(source.pick(RandomFleet.integers)...), integer(scope, 1)))
    default:
      let (lower, upper) = (small(scope), small(scope))
      let isRange = Build.build_Comparison(lhs: lower, rhs: upper, op: .lessThanOrEqual)
      let number = integer(scope, 0)
      let isInside =
        source.flag()
        ? Flag(Build.build_contains(Build.build_ClosedRange(lower: lower, upper: upper), number))
        : Flag(Build.build_contains(Build.build_Range(lower: lower, upper: upper), number))
      return Flag(Build.build_Conjunction(lhs: isRange, rhs: isInside))
    }
  }

  /// Whether a value is among captured ones.
  func membership(_ scope: Scope) -> Flag {
    // Some are long enough to be searched in another way.
    func list<Element>(_ choices: [Element]) -> [Element] {
      let elements = source.list(choices)
      guard let first = elements.first, source.flag(1, of: 3) else { return elements }
      return elements + Array(repeating: first, count: source.pick([40, 250]))
    }
    guard let voyage = scope.voyages.last else {
      return Flag(Build.build_contains(value(list(RandomFleet.texts)), text(scope, 0)))
    }
    switch Int.random(in: 0..<12, using: &source.random) {
    case 0: return Flag(Build.build_contains(value(list(RandomFleet.integers)), integer(scope, 1)))
    case 1: return Flag(Build.build_contains(value(Set(list(RandomFleet.integers))), integer(scope, 1)))
    case 2: return Flag(Build.build_contains(value(list(RandomFleet.reals)), real(scope, 1)))
    case 3: return Flag(Build.build_contains(value(list(RandomFleet.texts)), text(scope, 1)))
    case 4: return Flag(Build.build_contains(value(list(RandomFleet.texts + [nil])), maybeText(scope)))
    case 5: return Flag(Build.build_contains(value(list(RandomFleet.integers + [nil])), maybeInteger(scope)))
    case 6: return Flag(Build.build_contains(value(list(VoyageStatus.allCases)), path(voyage, \.status)))
    case 7: return Flag(Build.build_contains(value(list(RandomFleet.codes)), path(voyage, \.code)))
    case 8: return Flag(Build.build_contains(value(list(RandomFleet.decimals)), path(voyage, \.price)))
    case 9: return Flag(Build.build_contains(value(Set(list(fleet.voyages))), path(voyage, \.persistentModelID)))
    case 10: return Flag(Build.build_contains(value(Set(-500..<500)), integer(scope, 1)))
    default: return Flag(Build.build_contains(value(list(RandomFleet.dates)), path(voyage, \.departure)))
    }
  }

  /// Tests of captured elements.
  func captured(_ scope: Scope, _ depth: Int) -> Flag {
    if source.flag() {
      let numbers = value(source.list(RandomFleet.integers))
      func isSuitable(_ number: Build.Variable<Int>) -> Flag { condition(scope.with(\.integers, number), depth) }
      switch Int.random(in: 0..<4, using: &source.random) {
      case 0: return Flag(Build.build_contains(numbers, where: isSuitable))
      case 1: return Flag(Build.build_allSatisfy(numbers, isSuitable))
      case 2: return path(Build.build_filter(numbers, isSuitable), \.isEmpty)
      default: return comparison(path(Build.build_filter(numbers, isSuitable), \.count), small(scope))
      }
    }
    let texts = value(source.list(RandomFleet.texts))
    func isSuitable(_ text: Build.Variable<String>) -> Flag { condition(scope.with(\.texts, text), depth) }
    return source.flag()
      ? Flag(Build.build_contains(texts, where: isSuitable)) : Flag(Build.build_allSatisfy(texts, isSuitable))
  }

  /// Tests of values stored as JSON.
  func elements(_ scope: Scope) -> Flag {
    guard let voyage = scope.voyages.last else { return flag(scope) }
    let (numbers, words, lengths) = (path(voyage, \.numbers), path(voyage, \.words), path(voyage, \.lengths))
    switch Int.random(in: 0..<19, using: &source.random) {
    case 0: return Flag(Build.build_contains(numbers, small(scope)))
    case 1: return Flag(Build.build_contains(words, text(scope, 0)))
    case 2: return Flag(Build.build_contains(lengths, real(scope, 0)))
    case 3: return Flag(Build.build_contains(numbers) { self.condition(scope.with(\.integers, $0), 0) })
    case 4: return Flag(Build.build_allSatisfy(words) { self.condition(scope.with(\.texts, $0), 0) })
    case 5: return Flag(Build.build_contains(lengths) { self.condition(scope.with(\.reals, $0), 0) })
    case 6:
      return comparison(
        path(Build.build_filter(words) { self.condition(scope.with(\.texts, $0), 0) }, \.count), small(scope))
    case 7: return Flag(Build.build_contains(path(voyage, \.stops)) { self.condition(scope.with(\.berths, $0), 0) })
    case 8: return Flag(Build.build_starts(numbers, with: value(source.list(RandomFleet.smallIntegers))))
    case 9: return path(words, \.isEmpty)
    case 10: return equality(path(numbers, \.first), maybeInteger(scope))
    case 11: return equality(path(lengths, \.count), small(scope))
    case 12:
      let place = source.pick([0, 1, 2])
      return Flag(
        Build.build_Conjunction(
          lhs: Build.build_Comparison(lhs: path(numbers, \.count), rhs: value(place), op: .greaterThan),
          rhs: equality(AnyNode(Build.build_subscript(numbers, value(place))), small(scope))))
    case 13:
      let count = source.pick([1, 2])
      return Flag(
        Build.build_Conjunction(
          lhs: Build.build_Comparison(lhs: path(numbers, \.count), rhs: value(count), op: .greaterThanOrEqual),
          rhs: Build.build_contains(Build.build_subscript(numbers, value(0..<count)), small(scope))))
    case 14: return equality(path(words, \.first), value(source.maybe { $0.pick(RandomFleet.words) }))
    case 15: return Flag(Build.build_contains(words) { self.textTest(AnyNode($0), self.text(scope, 0)) })
    case 16:
      return Flag(
        Build.build_Conjunction(
          lhs: Build.build_Comparison(lhs: path(words, \.count), rhs: value(1), op: .greaterThan),
          rhs: textTest(AnyNode(Build.build_subscript(words, value(1))), text(scope, 0))))
    case 17: return equality(AnyNode(Build.build_min(words)), maybeText(scope))
    default:
      return equality(
        AnyNode(
          Build.build_subscript(
            path(voyage, \.ranks), value(source.pick(RandomFleet.words)),
            default: value(source.pick(RandomFleet.smallIntegers)))), small(scope))
    }
  }
}
