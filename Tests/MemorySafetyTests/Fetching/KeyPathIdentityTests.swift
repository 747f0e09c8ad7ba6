import Foundation
import Testing

@testable import SwiftData

private class Base {
  var name: String { "" }
  var other: String { "" }
  var next: Derived? { nil }
  final var stored = 0
  subscript(index: Int) -> String { "\(index)" }
  subscript(text: String, index: Int) -> String { text }
}

private final class Derived: Base {
  var own: String { "" }
  var place: Place { Place() }
}

private struct Place {
  var inner = Inner()
  var count = 0
  var text: String { "" }

  struct Inner {
    var padding = (0, 0, 0)
    var value: Int8 = 0
  }
}

/// The identities are read from memory, so these tests also run with the address sanitizer.
@Suite("Identities of computed key path components")
struct KeyPathIdentityTests {
  @Test("An inherited property has one identity in all classes")
  func inherited() {
    let (base, derived): (AnyKeyPath, AnyKeyPath) = (\Base.name, \Derived.name)
    #expect(base != derived)
    #expect(base.computedIdentities == derived.computedIdentities)
    #expect(base.computedIdentities.count == 1)
    #expect(base.computedIdentities != (\Derived.other as AnyKeyPath).computedIdentities)
    #expect((\Derived.own as AnyKeyPath).computedIdentities != derived.computedIdentities)
  }

  @Test("A key path of several components has the identities of its computed components, in order")
  func severalSteps() {
    let next = (\Base.next as AnyKeyPath).computedIdentities
    let name = (\Base.name as AnyKeyPath).computedIdentities
    let place = (\Derived.place as AnyKeyPath).computedIdentities
    let paths: [(AnyKeyPath, [AnyKeyPath.ComputedIdentity])] = [
      (\Base.next?.name, next + name), (\Derived.next?.next?.name, next + next + name),
      (\Derived.next!.name, next + name),
      (\Derived.place.inner.value, place), (\Derived.next?.place.count, next + place), (\Derived.stored, []),
      (\Derived.next?.stored, next), (\Place.inner.value, []), (\Derived.self, []),
    ]
    for (path, expected) in paths { #expect(path.computedIdentities == expected, "\(path)") }
  }

  @Test("Components with arguments are skipped, whatever the size of the arguments")
  func arguments() {
    let name = (\Base.name as AnyKeyPath).computedIdentities
    let paths: [AnyKeyPath] = [
      \Derived.next?[3], \Derived.next?["text", 3], \Derived.[1], \[Base].[0].name, \[Base].first?.name,
    ]
    #expect(paths.map(\.computedIdentities.count) == [2, 2, 1, 2, 2])
    #expect(paths[3].computedIdentities.last == name.first)
    #expect((\Derived.place.text as AnyKeyPath).computedIdentities.count == 2)
  }
}
