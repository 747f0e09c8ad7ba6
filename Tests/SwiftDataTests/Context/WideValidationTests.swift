import Testing

@testable import SwiftData
@testable import TestSupport

extension Wide {
  /// Behind the properties of its parent, it shares the last bit of what is dirty with three of them.
  @Model
  final class WideParcel: WideSwapRow {
    var owner: WideParcelOwner

    init(_ name: String, owner: WideParcelOwner) {
      self.owner = owner
      super.init(name, 1)
    }
  }

  @Model
  final class WideParcelOwner {
    var name: String
    @Relationship(inverse: \WideParcel.owner) var parcels: [WideParcel] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Rules of relationships behind the 63rd property")
struct WideValidationTests {
  @Test("A to-one that must lead somewhere, and that nobody has read, keeps no other change from being saved")
  func unreadTarget() throws {
    let container = try makeContainer(
      Wide.WideSwapRow.self, Wide.WideSwapFriend.self, Wide.WideParcel.self, Wide.WideParcelOwner.self)
    let setup = ModelContext(container)
    setup.insert(Wide.WideParcel("before", owner: Wide.WideParcelOwner("a")))
    try setup.save()
    let context = ModelContext(container)
    var partial = FetchDescriptor<Wide.WideParcel>()
    partial.propertiesToFetch = [\.p1]
    let parcel = try #require(try context.fetch(partial).first)
    parcel.name = "after"
    try context.save()
    let stored = try container.freshContext().only(Wide.WideParcel.self)
    #expect(stored.name == "after")
    #expect(stored.owner.name == "a")
  }
}
