#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("Combining predicates")
  struct PredicateCombinationTests {
    @Test(
      "Predicates can be combined by all and by any, for none, one or many", arguments: [0, 1, 2, 3, 1000])
    func combinations(count: Int) throws {
      let predicates = (0..<count).map { number in #Predicate<Int> { $0 > number } }
      let (all, any) = (Predicate(all: predicates), Predicate(any: predicates))
      for value in [-1, 0, 1, count - 1, count, count + 1] {
        #expect(try all.evaluate(value) == (0..<count).allSatisfy { value > $0 })
        #expect(try any.evaluate(value) == (0..<count).contains { value > $0 })
      }
    }

    @Test("No predicate is evaluated after the one that decides the result")
    func order() throws {
      let isEmpty = #Predicate<[Int]> { $0.isEmpty }
      let startsWithThree = #Predicate<[Int]> { $0[0] == 3 }
      #expect(try Predicate(any: [isEmpty, startsWithThree]).evaluate([]))
      #expect(throws: (any Error).self) { try Predicate(any: [startsWithThree, isEmpty]).evaluate([]) }
    }

    @Test("A predicate with several inputs can be evaluated inside another one")
    func nested() throws {
      let isLonger = #Predicate<String, Int> { $0.count > $1 }
      let isLong = Predicate<String> { text in
        PredicateExpressions.build_evaluate(
          PredicateExpressions.build_Arg(isLonger), text, PredicateExpressions.build_Arg(3))
      }
      #expect(try isLong.evaluate("four"))
      #expect(try !isLong.evaluate("two"))
    }

    @Test("Texts compare without regard to case, and by the rules of the locale")
    func comparisons() throws {
      let same = ComparisonResult.orderedSame
      let isAda = #Predicate<String> { $0.caseInsensitiveCompare("ADA") == same }
      #expect(try isAda.evaluate("Ada"))
      #expect(try !isAda.evaluate("Bea"))
      let comesBeforeF = #Predicate<String> { $0.localizedCompare("f").rawValue < 0 }
      #expect(try comesBeforeF.evaluate("é"))
      #expect(try !comesBeforeF.evaluate("g"))
    }
  }
#endif
