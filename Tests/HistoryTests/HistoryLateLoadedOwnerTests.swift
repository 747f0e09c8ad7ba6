import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What a save records of owners that are loaded only after the deletion of a member.
@Suite("History of owners loaded late")
struct HistoryLateLoadedOwnerTests {
  /// How the owner is loaded.
  enum Arrival: CaseIterable {
    case nothing
    /// By reading the deleted member's owner.
    case deletedMember
    /// By reading another member's owner, which loads the owners of all members of its fetch.
    case sibling
    /// The same, by moving the other member to another owner.
    case siblingLeaves
    /// The same, and an upsert merges the new owner.
    case upsert
    /// By fetching the members again with their owners.
    case prefetching
    /// By fetching the owner without its members.
    case fetch
  }

  enum Deletion: CaseIterable {
    case model, predicate
    /// The member is moved to a new owner before its deletion.
    case afterMove
    /// The member is moved to an owner in memory before its deletion.
    case afterMoveToSaved
  }

  @Test(
    "An owner loaded after the deletion of a member is recorded as updated", arguments: Arrival.allCases,
    Deletion.allCases)
  func loses(arrival: Arrival, deletion: Deletion) throws {
    let folder = try TemporaryFolder()
    let container = try LoggedTownRun.open(folder.file())
    let setting = ModelContext(container)
    let owners = [LoggedCity(0), LoggedCity(1), LoggedCity(2)]
    for (number, owner) in owners.enumerated() {
      setting.insert(owner)
      let house = LoggedHouse(number)
      setting.insert(house)
      house.rooms = number
      house.city = owner
    }
    try setting.save()
    let former = owners[0].persistentModelID

    let context = ModelContext(container)
    let houses = try context.fetch(FetchDescriptor<LoggedHouse>(sortBy: [SortDescriptor(\.number)]))
    switch deletion {
    case .model:
      context.delete(houses[0])
    case .predicate:
      try context.delete(model: LoggedHouse.self, where: #Predicate { $0.rooms == 0 })
    case .afterMove:
      let city = LoggedCity(10)
      context.insert(city)
      houses[0].city = city
      context.delete(houses[0])
    case .afterMoveToSaved:
      houses[0].city = try context.fetch(FetchDescriptor<LoggedCity>(predicate: #Predicate { $0.code == 2 })).first
      context.delete(houses[0])
    }
    var held: [LoggedCity?] = []
    switch arrival {
    case .nothing: break
    case .deletedMember: held.append(houses[0].city)
    case .sibling: held.append(houses[1].city)
    case .siblingLeaves, .upsert:
      let city = LoggedCity(11)
      context.insert(city)
      let again = LoggedCity(arrival == .upsert ? 11 : 12)
      context.insert(again)
      again.houses = [houses[1]]
    case .prefetching:
      var descriptor = FetchDescriptor<LoggedHouse>()
      descriptor.relationshipKeyPathsForPrefetching = [\.city]
      _ = try context.fetch(descriptor)
    case .fetch: held = try context.fetch(FetchDescriptor<LoggedCity>())
    }
    try context.save()
    let last = try #require(try container.logged().last)
    #expect(
      last.logged.contains { $0.identifier == former && $0.properties == ["houses"] },
      "\(arrival), \(deletion): \(last.logged)")
    withExtendedLifetime((folder, held)) {}
  }
}
