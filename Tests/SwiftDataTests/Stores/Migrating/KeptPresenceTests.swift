import Foundation
import Testing

@testable import SwiftData

enum LooseExtents {
  struct Extent: Codable, Equatable {
    var width: Int?
    var height: Int?
  }

  @Model
  final class Crate {
    var name: String
    var extent: Extent?

    init(_ name: String, _ extent: Extent?) {
      self.name = name
      self.extent = extent
    }
  }
}

/// The same structure, no longer optional.
enum GivenExtents {
  @Model
  final class Crate {
    var name: String
    var extent: LooseExtents.Extent

    init(_ name: String, _ extent: LooseExtents.Extent) {
      self.name = name
      self.extent = extent
    }
  }
}

/// A structure of the same name that tells by a required field that it is there.
enum FirmExtents {
  struct Extent: Codable, Equatable {
    var width: Int?
    var height: Int
  }

  @Model
  final class Crate {
    var name: String
    var extent: Extent?

    init(_ name: String, _ extent: Extent?) {
      self.name = name
      self.extent = extent
    }
  }
}

@Suite("Structures whose presence column went and came back")
struct KeptPresenceTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try store.open([LooseExtents.Crate.self]).freshContext()
    context.insert(LooseExtents.Crate("a", .init(width: 1, height: 2)))
    context.insert(LooseExtents.Crate("b", nil))
    try context.save()
  }

  private func extents() throws -> [LooseExtents.Extent?] {
    try store.open([LooseExtents.Crate.self]).freshContext().all(LooseExtents.Crate.self, by: \.name).map(\.extent)
  }

  @Test("Structures that were written while the property was not optional are there when it is optional again")
  func writtenWhileRequired() throws {
    guard let given = try store.openUnlessRefused([GivenExtents.Crate.self]) else { return }
    let context = given.freshContext()
    context.insert(GivenExtents.Crate("c", .init(width: 5, height: 6)))
    let changed = try context.all(GivenExtents.Crate.self, by: \.name)[1]
    changed.extent.width = 9
    try context.save()
    let found = try extents()
    try #require(found.count == 3)
    #expect(found[0] == LooseExtents.Extent(width: 1, height: 2))
    #expect(found[1]?.width == 9, "was nil, and was changed meanwhile")
    #expect(found[2] == LooseExtents.Extent(width: 5, height: 6), "was made meanwhile")
  }

  @Test("Structures that were written while a field was required are there when none is any more")
  func writtenWhileFirm() throws {
    guard let firm = try store.openUnlessRefused([FirmExtents.Crate.self]) else { return }
    let context = firm.freshContext()
    context.insert(FirmExtents.Crate("c", .init(width: 5, height: 6)))
    try context.save()
    let found = try extents()
    try #require(found.count == 3)
    #expect(found[0] == LooseExtents.Extent(width: 1, height: 2))
    #expect(found[2] == LooseExtents.Extent(width: 5, height: 6), "was made meanwhile")
  }
}
