import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// What the history records of rows that another context has changed or deleted since a context read them.
@Suite("History of contexts with stale rows")
struct HistoryConflictTests {
  private let store: LoggedStore
  /// A context of another container, which is not notified of commits.
  private let unaware: ModelContext

  init() throws {
    store = try LoggedStore()
    let container = try store.reopen()
    try #require(container.stores[0] as? RelationalStore).follower.stop()
    unaware = ModelContext(container)
  }

  private func first<Model: PersistentModel>(_ type: Model.Type, in context: ModelContext) throws -> Model {
    try #require(try context.fetch(FetchDescriptor<Model>()).first)
  }

  /// Errors that a follower would find: changes of missing rows, and insertions of existing rows.
  private func complaints() throws -> [String] {
    var rows: Set<PersistentIdentifier> = []
    var complaints: [String] = []
    for transaction in try store.container.logged() {
      for change in transaction.logged {
        let isThere = rows.contains(change.identifier)
        if isThere == (change.kind == .insert) { complaints.append("\(change), which is there: \(isThere)") }
        switch change.kind {
        case .insert: rows.insert(change.identifier)
        case .update: break
        case .delete: rows.remove(change.identifier)
        }
      }
    }
    return complaints
  }

  // MARK: Deletions

  @Test("A row that two contexts delete is recorded once")
  func deletedTwice() throws {
    store.insert(LoggedGuide("a"))
    try store.context.save()
    unaware.delete(try first(LoggedGuide.self, in: unaware))
    store.context.delete(try first(LoggedGuide.self, in: store.context))
    try store.context.save()
    try unaware.save()
    #expect(try complaints() == [])
    #expect(try store.container.logged().count == 2)
  }

  @Test("Rows that two contexts delete by a predicate are recorded once")
  func rowsDeletedTwice() throws {
    store.insert(LoggedGuide("a"), LoggedGuide("b"))
    try store.context.save()
    try unaware.delete(model: LoggedGuide.self)
    let other = ModelContext(store.container)
    try other.delete(model: LoggedGuide.self, where: #Predicate { $0.name == "a" })
    try other.save()
    try unaware.save()
    #expect(try complaints() == [])
  }

  @Test("A member deleted before the cascade from its owner is recorded once")
  func memberDeletedBefore() throws {
    let trip = LoggedTrip("t")
    store.insert(trip, LoggedStage("s", of: trip))
    try store.context.save()
    unaware.delete(try first(LoggedTrip.self, in: unaware))
    let other = ModelContext(store.container)
    other.delete(try first(LoggedStage.self, in: other))
    try other.save()
    try unaware.save()
    #expect(try complaints() == [])
  }

  // MARK: Updates

  @Test("An update of a deleted row's to-many is not recorded", arguments: [true, false])
  func listOfDeletedRow(isLoaded: Bool) throws {
    let trip = LoggedTrip("t")
    store.insert(trip, LoggedVehicle(plate: "x"))
    trip.vehicle = try first(LoggedVehicle.self, in: store.context)
    try store.context.save()
    let mine = try first(LoggedTrip.self, in: unaware)
    if isLoaded { #expect(mine.vehicle?.trips.count == 1) }
    mine.vehicle = nil
    store.context.delete(try first(LoggedVehicle.self, in: store.context))
    try store.context.save()
    try unaware.save()
    #expect(try complaints() == [])
  }

  @Test("Many-to-many changes of a deleted row are not recorded", arguments: [true, false])
  func linksOfDeletedRow(isOwner: Bool) throws {
    let trip = LoggedTrip("t")
    store.insert(trip, LoggedLabel("l"))
    trip.labels = try store.context.fetch(FetchDescriptor<LoggedLabel>())
    try store.context.save()
    let mine = try first(LoggedTrip.self, in: unaware)
    #expect(mine.labels.count == 1)
    mine.labels = []
    let other = ModelContext(store.container)
    if isOwner {
      other.delete(try first(LoggedTrip.self, in: other))
    } else {
      other.delete(try first(LoggedLabel.self, in: other))
    }
    try other.save()
    try unaware.save()
    #expect(try complaints() == [])
  }

  @Test("A member that another context moved leaves its present owner's to-many", arguments: [true, false])
  func movedMember(isDeleted: Bool) throws {
    let trips = [LoggedTrip("a"), LoggedTrip("b"), LoggedTrip("c")]
    for trip in trips { store.insert(trip) }
    store.insert(LoggedStage("s", of: trips[0]))
    try store.context.save()
    let mine = try first(LoggedStage.self, in: unaware)
    let names = try unaware.fetch(FetchDescriptor<LoggedTrip>(sortBy: [SortDescriptor(\.name)]))
    #expect(mine.trip === names[0])
    try first(LoggedStage.self, in: store.context).trip = trips[1]
    try store.context.save()
    if isDeleted { unaware.delete(mine) } else { mine.trip = names[2] }
    try unaware.save()
    let last = try #require(try store.container.logged().last)
    #expect(last.logged.contains { $0.identifier == trips[1].persistentModelID && $0.properties == ["stages"] })
  }

  // MARK: Numbers

  @Test("Transaction numbers are not reused although no transaction is retained")
  func numbersOfShortHistory() throws {
    let folder = try TemporaryFolder()
    var options = ModelConfiguration.StoreOptions()
    options.history = .limited(age: .zero)
    var last: Int64 = 0
    for _ in 0..<40 {
      let container = try LoggedStore.open(folder.file(), options: options)
      let context = ModelContext(container)
      context.insert(LoggedGuide("a"))
      try context.save()
      let number = try #require(container.stores[0] as? RelationalStore).lastTransaction()
      #expect(number > last)
      last = number
      try container.close()
    }
  }
}
