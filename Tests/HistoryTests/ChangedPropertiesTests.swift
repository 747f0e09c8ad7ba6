import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Sets of changed properties")
struct ChangedPropertiesTests {
  @Test("A set of changed properties distinguishes all of them, even ones that share a bit")
  func membership() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let count = Int.random(in: 0...12, using: &random)
      let indices = Set((0..<count).map { _ in Int.random(in: 0..<80, using: &random) })
      let properties = ChangedProperties(indices.shuffled(using: &random))
      #expect((0..<80).filter(properties.contains) == indices.sorted())
      #expect(properties == ChangedProperties(indices.shuffled(using: &random)))
    }
  }

  @Test("A union has the properties of both sets")
  func union() {
    var first = ChangedProperties([1, 62, 63, 70])
    first.formUnion(ChangedProperties([2, 64, 70]))
    #expect(first == ChangedProperties([1, 2, 62, 63, 64, 70]))
    first.formUnion(ChangedProperties(bits: 1 << 5))
    #expect((0..<80).filter(first.contains) == [1, 2, 5, 62, 63, 64, 70])
  }
}
