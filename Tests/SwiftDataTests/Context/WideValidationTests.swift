import Testing

@testable import SwiftData
@testable import TestSupport

extension Wide {
  /// Its property comes after those of its parent and shares the last bit of the dirty mask with three of them.
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

@Suite("Relationship rules after the 63rd property")
struct WideValidationTests {
  @Test("An unread required to-one does not block the save of another change")
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
