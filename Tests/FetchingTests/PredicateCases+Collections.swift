import Foundation
import SwiftData

@testable import TestModels
@testable import TestSupport

extension PredicateCase {
  /// Values stored as JSON, and properties that are computed from a column.
  static let collections: [PredicateCase] =
    Fleet.texts.map { text in
      .init("words contain \(text.debugDescription)") { _ in #Predicate { $0.words.contains(text) } }
    } + [
      .init("words contain the name") { _ in #Predicate { $0.words.contains($0.name) } },
      .init("words.isEmpty") { _ in #Predicate { $0.words.isEmpty } },
      .init("words.count == 2") { _ in #Predicate { $0.words.count == 2 } },
      .init("words contain a long one") { _ in #Predicate { $0.words.contains { $0.count > 1 } } },
      .init("all words are short") { _ in #Predicate { $0.words.allSatisfy { $0.count < 2 } } },
      .init("two short words") { _ in #Predicate { $0.words.filter { $0.count < 2 }.count == 2 } },
      .init("words.max()") { _ in #Predicate { $0.words.max() == "é" } },
      .init("the largest word is as it was written") { _ in
        #Predicate { ($0.words.max() ?? $0.name).contains(/^[a-z]/) }
      },
      .init("the largest word, the same again or the name, before another text") { _ in
        #Predicate { ($0.words.max() ?? ($0.words.max() ?? $0.name)) < "m" }
      },
      .init("the same compared with a captured boolean") { _ in
        let truth = true
        return #Predicate { truth != (($0.words.max() ?? ($0.words.max() ?? $0.name)) < "m") }
      },
      .init("words.min() as it was written") { _ in #Predicate { ($0.words.min() ?? "").contains(/\u{301}/) } },
      .init("words.first") { _ in #Predicate { $0.words.first == "a" } },
      .init("words[1] where there are two") { _ in #Predicate { $0.words.count > 1 && $0.words[1] == "Zebra" } },
      .init("numbers contain") { _ in #Predicate { $0.numbers.contains(3) } },
      .init("numbers contain the field of a composite") { _ in #Predicate { $0.numbers.contains($0.berth.number) } },
      .init("numbers.min() == nil") { _ in #Predicate { $0.numbers.min() == nil } },
      .init("numbers.max() ?? 0") { _ in #Predicate { ($0.numbers.max() ?? 0) > 3 } },
      .init("stops contain one of a pier") { _ in #Predicate { $0.stops.contains { $0.pier == "Café" } } },
      .init("stops contain a deep one") { _ in #Predicate { $0.stops.contains { $0.number > 1 } } },
      .init("stops.isEmpty") { _ in #Predicate { $0.stops.isEmpty } },
      .init("ranks[a] == 1") { _ in #Predicate { $0.ranks["a"] == 1 } },
      .init("ranks[é] == nil") { _ in #Predicate { $0.ranks["e\u{301}"] == nil } },
      .init("ranks[a, default: 7]") { _ in #Predicate { $0.ranks["a", default: 7] == 7 } },
      .init("ranks.count") { _ in #Predicate { $0.ranks.count == 1 } },
      .init("statuses contain") { _ in
        let status = VoyageStatus.underway
        return #Predicate { $0.pastStatuses.contains(status) }
      },
      .init("categories contain") { _ in
        let category = VoyageClass.cargo
        return #Predicate { $0.pastCategories.contains(category) }
      },
      .init("categories contain one of letters") { _ in
        #Predicate { $0.pastCategories.contains { $0.isLetters } }
      },
      .init("marks contain") { _ in
        let code = Fleet.code(4)
        return #Predicate { $0.marks.contains(code) }
      },
      .init("marks contain the code") { _ in #Predicate { $0.marks.contains($0.code) } },
      .init("marks.first") { _ in
        let code = Fleet.code(5)
        return #Predicate { $0.marks.first == code }
      },
      .init("marks.max() > UUID") { _ in
        let code = Fleet.code(20)
        return #Predicate { voyage in voyage.marks.max().flatMap { $0 > code } ?? false }
      },
      .init("pages contain") { _ in
        let page = URL(string: "x:2")
        return #Predicate { voyage in page.flatMap { voyage.pages.contains($0) } ?? false }
      },
      .init("pages contain the same text from elsewhere") { _ in
        let base = URL(string: "https://example.org/")
        let pages = [URL(string: "a?b=c&d=%20", relativeTo: base)].compactMap { $0 }
        return #Predicate { voyage in pages.contains { voyage.pages.contains($0) } }
      },
      .init("status.isCurrent") { _ in #Predicate { $0.status.isCurrent } },
      .init("status.rank > 1") { _ in #Predicate { $0.status.rank > 1 } },
      .init("previousStatus?.rank == 2") { _ in #Predicate { $0.previousStatus?.rank == 2 } },
      .init("1 / speed > 0") { _ in #Predicate { 1 / $0.speed > 0 } },
      .init("speed / fuel < 1") { _ in
        #Predicate { voyage in voyage.fuel.flatMap { voyage.speed / $0 < 1 } ?? false }
      },
      .init("speed / 0 > 1") { _ in
        let zero = -0.0
        return #Predicate { $0.speed / zero > 1 }
      },
      .init("speed.isNaN") { _ in #Predicate { $0.speed.isNaN } },
      .init("!fuel.isNaN") { _ in #Predicate { $0.fuel.flatMap { !$0.isNaN } ?? false } },
      .init("departure in seconds") { _ in #Predicate { $0.departure.timeIntervalSinceReferenceDate > 86_400 } },
      .init("departure in seconds of Unix") { _ in #Predicate { $0.departure.timeIntervalSince1970 > 978_393_600 } },
      .init("seal.count") { _ in #Predicate { $0.seal?.count == 2 } },
      .init("distance as? Int") { _ in
        Predicate { voyage in
          PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.ConditionalCast<
              PredicateExpressions.KeyPath<PredicateExpressions.Variable<Voyage>, Int>, Int
            >(PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.distance)),
            rhs: PredicateExpressions.build_Arg(3 as Int?))
        }
      },
      .init("name matches an expression") { _ in #Predicate { $0.name.contains(/^[a-z]+$/) } },
      .init("name compares without regard to case") { _ in
        let same = ComparisonResult.orderedSame
        return #Predicate { $0.name.caseInsensitiveCompare("ZEBRA") == same }
      },
      .init("name comes before in localized order") { _ in #Predicate { $0.name.localizedCompare("b").rawValue < 0 } },
      .init("captured numbers are filtered without the model") { _ in
        let numbers = [1, 2, 3, 100]
        return #Predicate { voyage in numbers.filter { $0 > 2 }.contains(voyage.distance) }
      },
      .init("several predicates, all of them") { _ in
        Predicate(all: [#Predicate { $0.distance > 0 }, #Predicate { $0.isOpen }, #Predicate { $0.name != "a" }])
      },
      .init("several predicates, any of them") { _ in
        Predicate(
          any: (0..<200).map { number in #Predicate { $0.berth.number == number - 198 || $0.distance == number } })
      },
      .init("no predicates, all of them") { _ in Predicate(all: []) },
      .init("no predicates, any of them") { _ in Predicate(any: []) },
      .init("a captured expression") { _ in
        let size = Expression<Voyage, Int> { voyage in
          PredicateExpressions.build_KeyPath(
            root: PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.harbors), keyPath: \.count)
        }
        return Predicate { voyage in
          PredicateExpressions.build_Comparison(
            lhs: PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(size), voyage),
            rhs: PredicateExpressions.build_Arg(1), op: .greaterThan)
        }
      },
      .init("a captured predicate of two inputs") { _ in
        let sails = Predicate<Voyage, String> { voyage, name in
          PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_KeyPath(root: voyage, keyPath: \.name), rhs: name)
        }
        return Predicate { voyage in
          PredicateExpressions.build_evaluate(
            PredicateExpressions.build_Arg(sails), voyage, PredicateExpressions.build_Arg("zebra"))
        }
      },
    ]
}
