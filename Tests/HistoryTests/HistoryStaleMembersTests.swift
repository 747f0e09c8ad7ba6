import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What a save records of members whose own side is stale.
@Suite("History of stale members")
struct HistoryStaleMembersTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let house: PersistentIdentifier
  private let person: PersistentIdentifier

  init() throws {
    folder = try TemporaryFolder()
    container = try LoggedTownRun.open(folder.file())
    let context = ModelContext(container)
    let (house, person) = (LoggedHouse(1), LoggedPerson("p"))
    context.insert(house)
    context.insert(person)
    try context.save()
    (self.house, self.person) = (house.persistentModelID, person.persistentModelID)
  }

  private func expectRecord(_ identifier: PersistentIdentifier, _ property: String) throws {
    let last = try #require(try container.logged().last)
    #expect(
      last.logged.contains { $0.identifier == identifier && $0.properties.contains(property) }, "\(last.logged)")
  }

  @Test("Removing a member by its own side records an owner whose members are stale")
  func stale() throws {
    let context = ModelContext(container)
    let mine = try #require(try context.fetch(FetchDescriptor<LoggedHouse>()).first)
    let tenant = try #require(try context.fetch(FetchDescriptor<LoggedPerson>()).first)
    #expect(mine.tenants.isEmpty)
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<LoggedHouse>()).first).tenants =
      try other.fetch(FetchDescriptor<LoggedPerson>())
    try other.save()
    // Read from the store, while the house in memory is stale.
    #expect(tenant.houses.count == 1)
    tenant.houses = []
    try context.save()
    try expectRecord(house, "tenants")
  }

  @Test("Reinserting an owner keeps members whose own side was not read since the deletion")
  func returned() throws {
    let setting = ModelContext(container)
    try #require(try setting.fetch(FetchDescriptor<LoggedHouse>()).first).tenants =
      try setting.fetch(FetchDescriptor<LoggedPerson>())
    try setting.save()
    let context = ModelContext(container)
    let mine = try #require(try context.fetch(FetchDescriptor<LoggedHouse>()).first)
    context.delete(mine)
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<LoggedHouse>()).first).rooms = 5
    other.insert(LoggedHouse(2))
    try other.save()
    // Merges the other context's save.
    _ = try context.fetch(FetchDescriptor<LoggedHouse>())
    context.insert(mine)
    try context.save()
    let check = ModelContext(container)
    let stored = try #require(
      try check.fetch(FetchDescriptor<LoggedHouse>(predicate: #Predicate { $0.number == 1 })).first)
    #expect(stored.tenants.count == 1, "The way back does not lose members.")
    if stored.tenants.isEmpty { try expectRecord(house, "tenants") }
  }
}
