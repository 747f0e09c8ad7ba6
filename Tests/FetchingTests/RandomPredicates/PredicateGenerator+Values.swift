import Foundation
import SwiftData

@testable import TestModels
@testable import TestSupport

extension PredicateGenerator {
  func integer(_ scope: Scope, _ depth: Int) -> AnyNode<Int> {
    if depth > 0 {
      switch Int.random(in: 0..<8, using: &source.random) {
      case 0: return AnyNode(Build.build_NilCoalesce(lhs: maybeInteger(scope), rhs: integer(scope, depth - 1)))
      case 1: return conditional(scope, integer(scope, depth - 1), integer(scope, depth - 1))
      case 2, 3: return arithmetic(scope, depth)
      default: break
      }
    }
    let choices = scope.voyages.map { path($0, \.distance) } + scope.integers.map { AnyNode($0) }
    return choices.isEmpty || source.flag()
      ? (source.flag() ? value(source.pick(RandomFleet.integers)) : small(scope)) : source.pick(choices)
  }

  /// A number of which several can be multiplied.
  func small(_ scope: Scope) -> AnyNode<Int> {
    var choices: [AnyNode<Int>] = [value(source.pick(RandomFleet.smallIntegers))]
    for voyage in scope.voyages {
      choices += [
        path(path(voyage, \.berth), \.number), path(path(voyage, \.name), \.count),
        path(path(voyage, \.harbors), \.count), path(path(voyage, \.numbers), \.count),
        path(path(voyage, \.words), \.count),
        AnyNode(
          Build.build_NilCoalesce(
            lhs: flatMap(path(voyage, \.crates)) { self.path($0, \.count) },
            rhs: value(source.pick(RandomFleet.smallIntegers)))),
        AnyNode(
          Build.build_NilCoalesce(
            lhs: AnyNode(Build.build_subscript(path(voyage, \.ranks), value(source.pick(RandomFleet.words)))),
            rhs: value(source.pick(RandomFleet.smallIntegers)))),
      ]
    }
    choices += scope.harbors.map { path($0, \.depth) }
    choices += scope.captains.map { path(path($0, \.voyages), \.count) }
    choices += scope.berths.map { path($0, \.number) }
    return source.pick(choices)
  }

  private func arithmetic(_ scope: Scope, _ depth: Int) -> AnyNode<Int> {
    func operand() -> AnyNode<Int> { depth > 1 && source.flag() ? arithmetic(scope, depth - 1) : small(scope) }
    let divisor: AnyNode<Int> = value(source.pick([1, 2, 3, 7, -1, -2, 10]))
    switch Int.random(in: 0..<6, using: &source.random) {
    case 0: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .add))
    case 1: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .subtract))
    case 2: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .multiply))
    case 3: return AnyNode(Build.build_Division(lhs: operand(), rhs: divisor))
    case 4: return AnyNode(Build.build_Remainder(lhs: operand(), rhs: divisor))
    default: return AnyNode(Build.build_UnaryMinus(operand()))
    }
  }

  func maybeInteger(_ scope: Scope) -> AnyNode<Int?> {
    var choices: [AnyNode<Int?>] = [value(source.maybe { $0.pick(RandomFleet.integers) })]
    for voyage in scope.voyages {
      choices += [
        path(voyage, \.crew), flatMap(path(voyage, \.lastBerth)) { self.path($0, \.number) },
        AnyNode(Build.build_flatMap(path(voyage, \.captain)) { self.path($0, \.age) }),
        flatMap(path(voyage, \.captain)) { self.path(self.path($0, \.voyages), \.count) },
        flatMap(path(voyage, \.note)) { self.path($0, \.count) },
        flatMap(path(voyage, \.crates)) { self.path($0, \.count) },
        flatMap(AnyNode<SteamVoyage?>(Build.ConditionalCast(voyage))) { self.path($0, \.coal) },
        AnyNode(Build.build_subscript(path(voyage, \.ranks), value(source.pick(RandomFleet.words)))),
        AnyNode(Build.build_max(path(voyage, \.numbers))), AnyNode(Build.build_min(path(voyage, \.numbers))),
        AnyNode(Build.ConditionalCast<AnyNode<Int>, Int>(path(voyage, \.distance))),
        flatMap(path(voyage, \.crew)) { crew in
          self.conditional(scope.with(\.integers, crew), AnyNode(crew), self.value(3))
        },
      ]
    }
    choices += scope.captains.map { path($0, \.age) }
    return source.pick(choices)
  }

  func real(_ scope: Scope, _ depth: Int) -> AnyNode<Double> {
    if depth > 0 {
      func operand() -> AnyNode<Double> { real(scope, depth - 1) }
      switch Int.random(in: 0..<12, using: &source.random) {
      case 0: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .add))
      case 1: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .subtract))
      case 2: return AnyNode(Build.build_Arithmetic(lhs: operand(), rhs: operand(), op: .multiply))
      case 3: return AnyNode(Build.build_Division(lhs: operand(), rhs: operand()))
      case 4: return AnyNode(Build.build_UnaryMinus(operand()))
      case 5: return AnyNode(Build.build_NilCoalesce(lhs: maybeReal(scope), rhs: operand()))
      case 6: return conditional(scope, operand(), operand())
      default: break
      }
    }
    let choices =
      scope.voyages.map { path($0, \.speed) } + scope.crates.map { path($0, \.weight) }
      + scope.reals.map { AnyNode($0) }
      + scope.voyages.map { path(path($0, \.departure), \.timeIntervalSinceReferenceDate) }
    return choices.isEmpty || source.flag() ? value(source.pick(RandomFleet.reals)) : source.pick(choices)
  }

  func maybeReal(_ scope: Scope) -> AnyNode<Double?> {
    var choices: [AnyNode<Double?>] = [value(source.maybe { $0.pick(RandomFleet.reals) })]
    for voyage in scope.voyages {
      choices += [
        path(voyage, \.fuel), path(path(voyage, \.berth), \.depth),
        AnyNode(Build.build_flatMap(path(voyage, \.lastBerth)) { self.path($0, \.depth) }),
        flatMap(path(voyage, \.fuel)) { self.real(scope.with(\.reals, $0), 1) },
        AnyNode(Build.build_max(path(voyage, \.lengths))), AnyNode(Build.build_min(path(voyage, \.lengths))),
      ]
    }
    choices += scope.berths.map { path($0, \.depth) }
    return source.pick(choices)
  }

  func text(_ scope: Scope, _ depth: Int) -> AnyNode<String> {
    if depth > 0 {
      switch Int.random(in: 0..<7, using: &source.random) {
      case 0: return AnyNode(Build.build_NilCoalesce(lhs: maybeText(scope), rhs: text(scope, depth - 1)))
      case 1: return conditional(scope, text(scope, depth - 1), text(scope, depth - 1))
      default: break
      }
    }
    var choices: [AnyNode<String>] = scope.texts.map { AnyNode($0) }
    for voyage in scope.voyages {
      choices += [path(voyage, \.name), path(path(voyage, \.berth), \.pier), path(path(voyage, \.status), \.rawValue)]
    }
    choices += scope.captains.map { path($0, \.name) } + scope.countries.map { path($0, \.name) }
    choices += scope.harbors.map { path($0, \.name) } + scope.crates.map { path($0, \.id) }
    choices += scope.berths.map { path($0, \.pier) }
    return choices.isEmpty || source.flag() ? value(source.text()) : source.pick(choices)
  }

  func maybeText(_ scope: Scope) -> AnyNode<String?> {
    var choices: [AnyNode<String?>] = [value(source.maybe { $0.text() })]
    for voyage in scope.voyages {
      choices += [
        path(voyage, \.note), flatMap(path(voyage, \.lastBerth)) { self.path($0, \.pier) },
        flatMap(path(voyage, \.captain)) { self.path($0, \.name) },
        AnyNode(
          Build.build_flatMap(path(voyage, \.captain)) { captain in
            self.flatMap(self.path(captain, \.country)) { self.path($0, \.name) }
          }),
        AnyNode(
          Build.build_flatMap(path(voyage, \.captain)) { captain in
            self.flatMap(self.path(captain, \.licence)) { self.path($0, \.number) }
          }),
        flatMap(path(voyage, \.note)) { self.text(scope.with(\.texts, $0), 0) },
        AnyNode(Build.build_max(path(voyage, \.words))),
      ]
    }
    choices += scope.countries.map { path($0, \.code) }
    return source.pick(choices)
  }

  /// Comparisons of values of other types.
  func otherValues(_ scope: Scope) -> AnyNode<Bool> {
    guard let voyage = scope.voyages.last else { return comparison(text(scope, 0), text(scope, 0)) }
    let status = source.pick(VoyageStatus.allCases)
    let berth = source.berth()
    let country = source.pick(RandomFleet.texts)
    switch Int.random(in: 0..<27, using: &source.random) {
    case 0: return comparison(path(voyage, \.departure), value(source.pick(RandomFleet.dates)))
    case 17: return path(path(voyage, \.status), \.isCurrent)
    case 18: return comparison(path(path(voyage, \.status), \.rank), small(scope))
    case 19: return equality(flatMap(path(voyage, \.seal)) { self.path($0, \.count) }, maybeInteger(scope))
    case 20: return path(path(voyage, \.speed), \.isNaN)
    case 21: return Flag(Build.build_contains(path(voyage, \.pastStatuses), path(voyage, \.status)))
    case 22: return path(path(voyage, \.category), \.isLetters)
    case 23: return comparison(path(path(voyage, \.category), \.rawValue), small(scope))
    case 24: return Flag(Build.build_contains(path(voyage, \.pastCategories), path(voyage, \.category)))
    case 25:
      let code = source.flag() ? path(voyage, \.code) : value(source.pick(RandomFleet.codes))
      return Flag(Build.build_contains(path(voyage, \.marks), code))
    case 26: return Flag(Build.build_contains(path(voyage, \.pages), value(source.pick(RandomFleet.links))))
    case 1: return equality(path(voyage, \.arrival), value(source.maybe { $0.pick(RandomFleet.dates) }))
    case 2: return comparison(path(voyage, \.code), value(source.pick(RandomFleet.codes)))
    case 3: return comparison(path(voyage, \.price), value(source.pick(RandomFleet.decimals)))
    case 4: return comparison(path(voyage, \.serial), value(source.pick(RandomFleet.wideIntegers)))
    case 5: return comparison(path(voyage, \.ratio), value(source.pick(RandomFleet.floats)))
    case 6: return equality(path(voyage, \.link), value(source.maybe { $0.pick(RandomFleet.links) }))
    case 7: return equality(path(voyage, \.seal), value(source.maybe { $0.pick(RandomFleet.seals) }))
    case 8: return equality(path(voyage, \.status), value(status))
    case 9:
      return equality(
        path(voyage, \.previousStatus),
        source.flag() ? value(source.maybe { _ in status }) : flatMap(path(voyage, \.previousStatus)) { AnyNode($0) })
    case 10: return comparison(path(voyage, \.category), value(source.flag() ? .cargo : .mail))
    case 11: return equality(path(voyage, \.event), value(source.flag() ? .none : .storm(force: 3)))
    case 12: return equality(path(voyage, \.berth), value(berth))
    case 13: return equality(path(voyage, \.lastBerth), value(source.maybe { _ in berth }))
    case 14: return equality(path(voyage, \.chart), value(source.maybe { $0.pick(RandomFleet.seals) }))
    case 15:
      return comparison(
        path(voyage, \.departure),
        AnyNode(Build.build_NilCoalesce(lhs: path(voyage, \.arrival), rhs: path(voyage, \.departure))))
    default:
      return equality(
        AnyNode(
          Build.build_flatMap(path(voyage, \.captain)) { captain in
            self.flatMap(self.path(captain, \.country)) { self.path($0, \.name) }
          }), value(source.flag() ? country : nil))
    }
  }
}
