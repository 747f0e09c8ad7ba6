import Foundation
import Testing

@testable import SwiftData

private class Base {
  var name: String { "" }
  var other: String { "" }
  var next: Heir? { nil }
  final var stored = 0
  subscript(index: Int) -> String { "\(index)" }
  subscript(text: String, index: Int) -> String { text }
}

private final class Heir: Base {
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

/// The identities are read from memory, so these tests run with the address sanitizer too.
@Suite("The identities of computed steps of key paths")
struct KeyPathIdentityTests {
  @Test("An inherited property has one identity in all classes")
  func inherited() {
    let (base, heir): (AnyKeyPath, AnyKeyPath) = (\Base.name, \Heir.name)
    #expect(base != heir)
    #expect(base.computedIdentities == heir.computedIdentities)
    #expect(base.computedIdentities.count == 1)
    #expect(base.computedIdentities != (\Heir.other as AnyKeyPath).computedIdentities)
    #expect((\Heir.own as AnyKeyPath).computedIdentities != heir.computedIdentities)
  }

  @Test("A path of several steps has the identities of its computed steps, in order")
  func severalSteps() {
    let next = (\Base.next as AnyKeyPath).computedIdentities
    let name = (\Base.name as AnyKeyPath).computedIdentities
    let place = (\Heir.place as AnyKeyPath).computedIdentities
    let paths: [(AnyKeyPath, [AnyKeyPath.ComputedIdentity])] = [
      (\Base.next?.name, next + name), (\Heir.next?.next?.name, next + next + name), (\Heir.next!.name, next + name),
      (\Heir.place.inner.value, place), (\Heir.next?.place.count, next + place), (\Heir.stored, []),
      (\Heir.next?.stored, next), (\Place.inner.value, []), (\Heir.self, []),
    ]
    for (path, expected) in paths { #expect(path.computedIdentities == expected, "\(path)") }
  }

  @Test("Steps with arguments are passed over, whatever the size of these")
  func arguments() {
    let name = (\Base.name as AnyKeyPath).computedIdentities
    let paths: [AnyKeyPath] = [
      \Heir.next?[3], \Heir.next?["text", 3], \Heir.[1], \[Base].[0].name, \[Base].first?.name,
    ]
    #expect(paths.map(\.computedIdentities.count) == [2, 2, 1, 2, 2])
    #expect(paths[3].computedIdentities.last == name.first)
    #expect((\Heir.place.text as AnyKeyPath).computedIdentities.count == 2)
  }
}
