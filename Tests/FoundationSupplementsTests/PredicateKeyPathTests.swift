import Foundation
import FoundationSupplements
import Testing

private struct Reading: PredicateCodableKeyPathProviding {
  var place = ""
  var degrees = 0.0

  static var predicateCodableKeyPaths: [String: any PartialKeyPath<Reading> & Sendable] {
    ["place": \.place, "degrees": \.degrees]
  }
}

@Suite("Types that name key paths for predicates")
struct PredicateKeyPathTests {
  @Test("The names find the properties")
  func names() throws {
    func names<Provider: PredicateCodableKeyPathProviding>(_ type: Provider.Type) -> [String] {
      type.predicateCodableKeyPaths.keys.sorted()
    }
    #expect(names(Reading.self) == ["degrees", "place"])
    let keyPath = try #require(Reading.predicateCodableKeyPaths["degrees"])
    #expect(Reading(place: "p", degrees: 3)[keyPath: keyPath] as? Double == 3)
  }
}
