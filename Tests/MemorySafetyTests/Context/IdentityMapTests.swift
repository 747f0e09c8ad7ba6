import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Identity map")
struct IdentityMapTests {
  @Model
  final class Token {
    init() {}
  }

  /// How the keys of a table are distributed.
  enum Spread: CaseIterable {
    case consecutive
    case negative
    case oneOfEachPage
    case farApart
    case inUpperBits
    case aroundTheEnds

    func key(_ generator: inout SeededGenerator) -> Int64 {
      switch self {
      case .consecutive: .random(in: 1...2_000, using: &generator)
      case .negative: .random(in: -2_000...(-1), using: &generator)
      case .oneOfEachPage: .random(in: 0..<500, using: &generator) * 32
      case .farApart: .random(in: 0..<500, using: &generator) * 0x0123_4567_89AB
      case .inUpperBits: .random(in: 0..<500, using: &generator) << 52
      case .aroundTheEnds:
        Bool.random(using: &generator)
          ? .max - .random(in: 0..<1_000, using: &generator) : .min + .random(in: 0..<1_000, using: &generator)
      }
    }
  }

  @Test("Registered models are found by their own keys only", arguments: Spread.allCases)
  func randomKeys(_ spread: Spread) {
    var generator = SeededGenerator(seed: 7)
    let map = IdentityMap()
    var expected: [Int64: Token] = [:]
    for step in 0..<40_000 {
      let key = spread.key(&generator)
      #expect(map.model(key) as? Token === expected[key])
      // Mostly inserts at first, mostly removes in the end.
      let isFilling = Int.random(in: 0..<40_000, using: &generator) > step
      if isFilling, expected[key] == nil {
        let token = Token()
        expected[key] = token
        map.insert(token, key)
      } else if !isFilling, expected.removeValue(forKey: key) != nil {
        map.remove(key)
      }
      if step.isMultiple(of: 1_000) {
        #expect(Set(map.models.map(ObjectIdentifier.init)) == Set(expected.values.map(ObjectIdentifier.init)))
      }
    }
    for key in expected.keys { map.remove(key) }
    #expect(map.models.isEmpty)
  }

  @Test("Empty pages are reused, and their number is bounded", arguments: [10, 64, 65, 1_000])
  func emptyPages(_ count: Int) {
    let map = IdentityMap()
    let keys = (0..<Int64(count)).map { $0 * 32 }
    for _ in 0..<3 {
      let tokens = keys.map { _ in Token() }
      for (token, key) in zip(tokens, keys) { map.insert(token, key) }
      #expect(map.models.count == count && !map.isEmpty)
      for key in keys { map.remove(key) }
      #expect(map.isEmpty && map.models.isEmpty)
      #expect(map.brokenInvariants.isEmpty)
      #expect(map.pageCount <= 64)
    }
  }

  @Test("A reserved entry without a model can be registered later")
  func reservedEntry() {
    let map = IdentityMap()
    let page = map.page(for: 300)
    page.reserve()
    #expect(map.model(300) == nil)
    #expect(map.models.isEmpty)
    map.remove(300)
    #expect(map.model(300) == nil)
    let token = Token()
    map.insert(token, 300)
    #expect(map.model(300) as? Token === token)
    map.remove(300)
  }
}
