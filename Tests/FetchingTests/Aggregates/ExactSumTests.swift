import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Exact sums")
struct ExactSumTests {
  private func sum(_ numbers: [Double]) -> Double {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum.total
  }

  @Test("A sum is rounded once, at the end")
  func rounding() {
    #expect(sum([]) == 0)
    #expect(sum([0.1, 0.2, 0.3]) == 0.6)
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([1e16, 1, -1e16]) == 1)
    #expect(sum([1e300, 1, -1e300, 1e-300, -1]) == 1e-300)
    // Half-way between two numbers, and a little more.
    #expect(sum([1, 0x1p-53]) == 1)
    #expect(sum([1, 0x1p-53, 0x1p-120]) == 1 + 0x1p-52)
    #expect(sum([1, 0x1p-53, -0x1p-120]) == 1)
    #expect(sum([-1, -0x1p-53, -0x1p-120]) == -1 - 0x1p-52)
  }

  @Test("Sums with infinity and NaN are infinity or NaN as usual")
  func extraordinary() {
    #expect(sum([1, .infinity, 2]) == .infinity)
    #expect(sum([.infinity, -.infinity]).isNaN)
    #expect(sum([1, .nan, 2]).isNaN)
    #expect(sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .infinity)
  }

  @Test("A sum is infinite only if its result is too large, in any order")
  func largest() {
    let largest = Double.greatestFiniteMagnitude
    for numbers in [[largest, largest, -largest], [largest, -largest, largest], [-largest, largest, largest]] {
      #expect(sum(numbers) == largest)
      #expect(sum(numbers.map { -$0 }) == -largest)
    }
    #expect(sum([largest, 1, -largest]) == 1)
    #expect(sum([1e-300, largest, largest, -largest, -largest]) == 1e-300)
    #expect(sum([0x1p1000, 0x1p1000, -0x1p1001, 3]) == 3)
    #expect(sum([0x1p960, -0x1p959, -0x1p959, 1e-300]) == 1e-300)
    #expect(sum([-largest, -largest, 5]) == -.infinity)
    // Half-way to infinity, and a little less.
    #expect(sum([largest, 0x1p970]) == .infinity)
    #expect(sum([largest, 0x1p970, -1e-300]) == largest)
    #expect(sum([largest, 0x1p970, -0x1p-1074]) == largest)
    #expect(sum([largest, 0x1p969]) == largest)
  }

  @Test("The average of finite numbers is finite")
  func means() {
    func mean(_ numbers: [Double]) -> Double {
      var sum = ExactSum()
      for number in numbers { sum.add(number) }
      return sum.mean(of: numbers.count)
    }
    for count in 1...40 {
      #expect(mean(Array(repeating: .greatestFiniteMagnitude, count: count)) <= .greatestFiniteMagnitude)
    }
    #expect(mean([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .greatestFiniteMagnitude)
    #expect(mean([1, 2]) == 1.5)
    #expect(mean([1, .infinity]) == .infinity)
  }

  @Test("A sum does not depend on the order of the numbers")
  func order() {
    var dice = Dice(seed: 3)
    for _ in 0..<200 {
      let numbers = (0..<50).map { _ in
        Double(Int.random(in: -999...999, using: &dice))
          * Double(sign: .plus, exponent: Int.random(in: -80...80, using: &dice), significand: 1)
      }
      let total = sum(numbers)
      #expect(sum(numbers.shuffled(using: &dice)) == total)
      #expect(sum(numbers.reversed()) == total)
      #expect(sum(numbers + numbers.map { -$0 }) == 0)
    }
  }
}
