import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What a save records of owners that lose a member, whichever of them are in memory.
@Suite("History of previous owners")
struct HistoryPreviousOwnerTests {
  private let store: LoggedStore

  init() throws {
    store = try LoggedStore()
    let trips = [LoggedTrip("a"), LoggedTrip("b")]
    for trip in trips { store.insert(trip) }
    store.insert(LoggedStage("s", of: trips[0]))
    try store.context.save()
  }

  enum Knowledge: CaseIterable {
    /// The previous owner is not in memory.
    case nothing
    case owner, members
  }

  enum Target: CaseIterable {
    case noOwner, saved, new
    /// Inserted, with a member of its own.
    case newWithMember
  }

  enum Ending: CaseIterable {
    case nothing, deletion, deletionOfTarget
    /// Moved to the previous owner again, and deleted.
    case returnAndDeletion
  }

  @Test(
    "An owner that loses a member is recorded as updated", arguments: Knowledge.allCases, Target.allCases)
  func loses(knowledge: Knowledge, target: Target) throws {
    for ending in Ending.allCases {
      for isReadBetween in [false, true] {
        try Self().run(knowledge, target, ending, isReadBetween)
      }
    }
  }

  private func run(_ knowledge: Knowledge, _ target: Target, _ ending: Ending, _ isReadBetween: Bool) throws {
    let context = ModelContext(store.container)
    var trips: [LoggedTrip] = []
    if knowledge != .nothing {
      trips = try context.fetch(FetchDescriptor<LoggedTrip>(sortBy: [SortDescriptor(\.name)]))
      if knowledge == .members { #expect(trips[0].stages.count == 1) }
    }
    let former = try #require(
      try ModelContext(store.container).fetchIdentifiers(
        FetchDescriptor<LoggedTrip>(predicate: #Predicate { $0.name == "a" })
      ).first)
    let stage = try #require(try context.fetch(FetchDescriptor<LoggedStage>()).first)
    let owner: LoggedTrip?
    switch target {
    case .noOwner: owner = nil
    case .saved: owner = try context.fetch(FetchDescriptor<LoggedTrip>(predicate: #Predicate { $0.name == "b" })).first
    case .new, .newWithMember:
      let new = LoggedTrip("new")
      context.insert(new)
      if target == .newWithMember { context.insert(LoggedStage("other", of: new)) }
      owner = new
    }
    stage.trip = owner
    // Reads owners that were not in memory.
    if isReadBetween {
      trips = try context.fetch(FetchDescriptor<LoggedTrip>())
      for trip in trips { _ = trip.stages.count }
    }
    switch ending {
    case .nothing: break
    case .deletion: context.delete(stage)
    case .deletionOfTarget: if let owner { context.delete(owner) }
    case .returnAndDeletion:
      stage.trip = try context.fetch(FetchDescriptor<LoggedTrip>(predicate: #Predicate { $0.name == "a" })).first
      context.delete(stage)
    }
    try context.save()
    let last = try #require(try store.container.logged().last)
    #expect(
      last.logged.contains { $0.identifier == former && $0.properties == ["stages"] },
      "\(knowledge), \(target), \(ending), read between: \(isReadBetween): \(last.logged)")
    withExtendedLifetime(trips) {}
  }

  // MARK: Upserts

  enum Way: CaseIterable {
    case list, toOne
    /// The to-many of an inserted model that an upsert merges, to which another member moves as well.
    case both
  }

  @Test("An owner that loses a member to an upserted row is recorded as updated", arguments: Knowledge.allCases)
  func losesToUpsert(knowledge: Knowledge) throws {
    for way in Way.allCases {
      for isSaved in [false, true] {
        for ending in [Ending.nothing, .deletion] { try runUpsert(knowledge, way, isSaved: isSaved, ending) }
      }
    }
  }

  private func runUpsert(_ knowledge: Knowledge, _ way: Way, isSaved: Bool, _ ending: Ending) throws {
    let folder = try TemporaryFolder()
    let container = try LoggedTownRun.open(folder.file())
    let setting = ModelContext(container)
    let (old, known) = (LoggedCity(1), LoggedCity(2))
    setting.insert(old)
    if isSaved { setting.insert(known) }
    for number in 0..<2 {
      let house = LoggedHouse(number)
      setting.insert(house)
      house.city = old
    }
    try setting.save()
    let former = old.persistentModelID
    let context = ModelContext(container)
    var cities: [LoggedCity] = []
    if knowledge != .nothing {
      cities = try context.fetch(FetchDescriptor<LoggedCity>(sortBy: [SortDescriptor(\.code)]))
      if knowledge == .members { #expect(cities[0].houses.count == 2) }
    }
    let houses = try context.fetch(FetchDescriptor<LoggedHouse>(sortBy: [SortDescriptor(\.number)]))
    if !isSaved { context.insert(LoggedCity(2)) }
    let again = LoggedCity(2)
    context.insert(again)
    if way != .toOne { again.houses = [houses[0]] }
    if way == .toOne { houses[0].city = again }
    if way == .both { houses[1].city = again }
    if ending == .deletion { context.delete(houses[0]) }
    try context.save()
    let last = try #require(try container.logged().last)
    #expect(
      last.logged.contains { $0.identifier == former && $0.properties == ["houses"] },
      "\(knowledge), \(way), of a saved one: \(isSaved), \(ending): \(last.logged)")
    withExtendedLifetime(cities) {}
  }
}
