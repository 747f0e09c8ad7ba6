import Foundation
import SwiftData

@testable import TestModels
@testable import TestSupport

extension PredicateGenerator {
  /// Tests of the members of relationships.
  func members(_ scope: Scope, _ depth: Int) -> Flag {
    if let harbor = scope.harbors.last, source.flag() {
      return Flag(
        Build.build_contains(path(harbor, \.voyages)) { self.condition(scope.with(\.voyages, $0), depth) })
    }
    guard let voyage = scope.voyages.last else { return test(scope, depth) }
    let harbors = path(voyage, \.harbors)
    func isSuitable(_ harbor: Build.Variable<Harbor>) -> Flag { condition(scope.with(\.harbors, harbor), depth) }
    switch Int.random(in: 0..<9, using: &source.random) {
    case 0, 1: return Flag(Build.build_contains(harbors, where: isSuitable))
    case 2, 3: return Flag(Build.build_allSatisfy(harbors, isSuitable))
    case 4: return path(Build.build_filter(harbors, isSuitable), \.isEmpty)
    case 5: return comparison(path(Build.build_filter(harbors, isSuitable), \.count), small(scope))
    case 6: return Flag(Build.build_contains(Build.build_filter(harbors, isSuitable), where: isSuitable))
    case 7:
      return truth(
        flatMap(path(voyage, \.crates)) { crates in
          AnyNode(Build.build_allSatisfy(crates) { self.condition(scope.with(\.crates, $0), depth) })
        })
    default:
      return truth(
        flatMap(path(voyage, \.captain)) { captain in
          AnyNode(
            Build.build_contains(self.path(captain, \.voyages)) {
              self.condition(scope.with(\.voyages, $0).with(\.captains, captain), depth)
            })
        })
    }
  }

  private func test(_ scope: Scope, _ depth: Int) -> Flag {
    condition(scope, min(depth, 0))
  }

  /// Tests of models: their identity, type and presence.
  func models(_ scope: Scope) -> Flag {
    guard let voyage = scope.voyages.last else { return flag(scope) }
    let captain = path(voyage, \.captain)
    let identifiers = [Voyage("").persistentModelID] + fleet.captains + fleet.harbors + fleet.voyages
    switch Int.random(in: 0..<12, using: &source.random) {
    case 0: return equality(captain, AnyNode(Build.build_NilLiteral()))
    case 1:
      return equality(
        flatMap(captain) { self.path($0, \.persistentModelID) }, value(source.maybe { $0.pick(identifiers) }))
    case 2: return equality(path(voyage, \.persistentModelID), value(source.pick(identifiers)))
    case 3: return equality(path(voyage, \.id), value(source.pick(fleet.voyages)))
    case 4: return Flag(Build.TypeCheck<Build.Variable<Voyage>, SteamVoyage>(voyage))
    case 5:
      return equality(
        AnyNode(Build.ConditionalCast<Build.Variable<Voyage>, SteamVoyage>(voyage)), AnyNode(Build.build_NilLiteral()))
    case 6: return equality(path(voyage, \.crates), AnyNode(Build.build_NilLiteral()))
    case 7: return equality(path(voyage, \.lastBerth), AnyNode(Build.build_NilLiteral()))
    case 8:
      return equality(
        AnyNode(Build.build_flatMap(captain) { self.path($0, \.country) }), AnyNode(Build.build_NilLiteral()))
    case 9:
      return equality(
        AnyNode(Build.build_flatMap(captain) { self.path($0, \.licence) }), AnyNode(Build.build_NilLiteral()))
    case 10: return scope.voyages.count > 1 ? equality(AnyNode(scope.voyages[0]), AnyNode(voyage)) : flag(scope)
    default:
      return equality(
        AnyNode(Build.build_flatMap(captain) { self.path($0, \.country) }),
        AnyNode(Build.build_flatMap(captain) { self.path($0, \.country) }))
    }
  }

  /// Force-unwrapped values, some of them after a test for nil.
  func unwrapped(_ scope: Scope) -> Flag {
    guard let voyage = scope.voyages.last else { return flag(scope) }
    switch Int.random(in: 0..<4, using: &source.random) {
    case 0:
      let crew = path(voyage, \.crew)
      let test = comparison(AnyNode(Build.build_ForcedUnwrap(crew)), integer(scope, 1))
      return source.flag(1, of: 4) ? test : guarded(crew, test)
    case 1:
      let note = path(voyage, \.note)
      let test = comparison(AnyNode(Build.build_ForcedUnwrap(note)), text(scope, 1))
      return source.flag(1, of: 4) ? test : guarded(note, test)
    case 2:
      let captain = path(voyage, \.captain)
      let test = comparison(path(Build.build_ForcedUnwrap(captain), \.name), text(scope, 1))
      return source.flag(1, of: 4) ? test : guarded(captain, test)
    default:
      let steamer = AnyNode<SteamVoyage>(Build.ForceCast(voyage))
      return Flag(
        Build.build_Conjunction(
          lhs: Build.TypeCheck<Build.Variable<Voyage>, SteamVoyage>(voyage),
          rhs: comparison(path(steamer, \.coal), integer(scope, 1))))
    }
  }

  private func guarded<Value: Equatable>(_ optional: AnyNode<Value?>, _ test: Flag) -> Flag {
    Flag(
      Build.build_Conjunction(
        lhs: Build.build_NotEqual(lhs: optional, rhs: Build.build_NilLiteral()), rhs: test))
  }
}
