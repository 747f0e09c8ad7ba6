import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Contents of history transactions")
struct HistoryRecordTests {
  private let store: LoggedStore
  private var context: ModelContext { store.context }

  init() throws {
    store = try LoggedStore()
  }

  /// A saved trip with two stages, a label, a lodging, a vehicle, a guide and two sights.
  private func insertTrip(_ name: String = "Alps") throws -> LoggedTrip {
    let trip = LoggedTrip(name)
    context.insert(trip)
    trip.stages = [LoggedStage("a"), LoggedStage("b")]
    trip.labels = [LoggedLabel("\(name) 1")]
    trip.lodging = LoggedLodging("\(name) hut")
    trip.vehicle = LoggedVehicle(plate: "\(name) car")
    trip.guide = LoggedGuide("\(name) guide")
    trip.sights = [LoggedSight("lake"), LoggedSight("peak")]
    try context.save()
    return trip
  }

  // MARK: Insertions

  @Test("An inserted model is recorded as an insertion only, whatever was set before the save")
  func insertions() throws {
    let (trip, stage, label) = (LoggedTrip("Alps"), LoggedStage("a"), LoggedLabel("new"))
    let transaction = try store.transaction {
      store.insert(trip, stage, label)
      trip.days = 3
      stage.trip = trip
      trip.labels = [label]
    }
    expectChanges(transaction, [.insert(trip), .insert(stage), .insert(label)])
  }

  @Test("Insertions of many rows are in the order of their keys")
  func manyInsertions() throws {
    let guides = (0..<500).map { LoggedGuide("\($0)") }
    let transaction = try store.transaction { for guide in guides { context.insert(guide) } }
    expectChanges(transaction, guides.map { .insert($0) })
  }

  @Test("A model deleted before it was saved is not recorded")
  func insertedAndDeleted() throws {
    let kept = LoggedGuide("kept")
    let transaction = try store.transaction {
      let gone = LoggedTrip("gone")
      context.insert(gone)
      gone.stages = [LoggedStage("gone")]
      context.insert(kept)
      context.delete(gone)
    }
    expectChanges(transaction, [.insert(kept)])
    let none = try store.transactions {
      let gone = LoggedGuide("gone")
      context.insert(gone)
      context.delete(gone)
      try context.save()
    }
    #expect(none.isEmpty)
  }

  @Test("A save without changes is not recorded")
  func nothing() throws {
    _ = try insertTrip()
    let found = try store.transactions {
      try context.save()
      try ModelContext(store.container).save()
      context.processPendingChanges()
      try context.save()
    }
    #expect(found.isEmpty)
  }

  @Test("Relating a saved model to an inserted one is an update of the saved model")
  func insertedMember() throws {
    let trip = try insertTrip()
    let stage = LoggedStage("c")
    let transaction = try store.transaction {
      context.insert(stage)
      trip.stages.append(stage)
    }
    expectChanges(transaction, [.insert(stage), .update(trip, "stages")])
  }

  // MARK: Updates

  @Test("An update names exactly the attributes that were set")
  func updates() throws {
    let (first, second) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let transaction = try store.transaction {
      first.days = 7
      first.destination = "Bern"
      second.picture = Data(repeating: 1, count: 300_000)
    }
    expectChanges(transaction, [.update(first, "days", "destination"), .update(second, "picture")])
    expectChanges(try store.transaction { second.picture = nil }, [.update(second, "picture")])
  }

  @Test("Setting a property repeatedly is one update")
  func setTwice() throws {
    let trip = try insertTrip()
    let transaction = try store.transaction { for days in 2..<20 { trip.days = days } }
    expectChanges(transaction, [.update(trip, "days")])
  }

  @Test("Updates of one entity with different properties are in the order of their keys")
  func orderOfUpdates() throws {
    let trips = (0..<20).map { LoggedTrip("\($0)") }
    for trip in trips { context.insert(trip) }
    try context.save()
    let transaction = try store.transaction {
      for (number, trip) in trips.enumerated().reversed() {
        if number % 2 == 0 { trip.days = 9 } else { trip.destination = "d" }
        if number % 3 == 0 { trip.name = "n" }
      }
    }
    let expected = trips.enumerated().map { number, trip in
      LoggedChange(
        kind: .update, identifier: trip.persistentModelID,
        properties: Set([number % 2 == 0 ? "days" : "destination"] + (number % 3 == 0 ? ["name"] : [])))
    }
    expectChanges(transaction, expected)
  }

  @Test("The key paths of an update equal those in source code")
  func keyPaths() throws {
    let trip = try insertTrip()
    let transaction = try store.transaction {
      trip.days = 2
      trip.stages.removeLast()
    }
    for change in transaction.changes {
      guard case .update(let update as DefaultHistoryUpdate<LoggedTrip>) = change else { continue }
      #expect(update.updatedAttributes.contains(\.days))
      #expect(update.updatedAttributes.contains(\.stages))
      #expect(!update.updatedAttributes.contains(\.name))
      #expect(update.updatedAttributes.count == 2)
      return
    }
    Issue.record("no update")
  }

  // MARK: Relationships

  @Test("Setting a relationship is an update of both sides", arguments: [false, true])
  func linked(fromOwner: Bool) throws {
    let trip = try insertTrip()
    let stage = LoggedStage("c")
    context.insert(stage)
    try context.save()
    let transaction = try store.transaction {
      if fromOwner { trip.stages.append(stage) } else { stage.trip = trip }
    }
    expectChanges(transaction, [.update(trip, "stages"), .update(stage, "trip")])
  }

  @Test("Moving a member is an update of the member and both owners", arguments: [false, true])
  func moved(fromOwner: Bool) throws {
    let (first, second) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let stage = first.stages[0]
    let transaction = try store.transaction {
      if fromOwner { second.stages.append(stage) } else { stage.trip = second }
    }
    expectChanges(transaction, [.update(first, "stages"), .update(second, "stages"), .update(stage, "trip")])
  }

  @Test("Removing a member is an update of the member and its owner", arguments: [false, true])
  func removed(fromOwner: Bool) throws {
    let trip = try insertTrip()
    let stage = trip.stages[0]
    let transaction = try store.transaction {
      if fromOwner { trip.stages.removeFirst() } else { stage.trip = nil }
    }
    expectChanges(transaction, [.update(trip, "stages"), .update(stage, "trip")])
  }

  @Test("Removing a member updates its owner even if the owner is not in memory", arguments: [false, true])
  func previousOwnerNotInMemory(moves: Bool) throws {
    let (first, second) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let identifier = first.stages[0].persistentModelID
    let other = store.container.freshContext()
    let stage = try #require(
      try other.fetch(FetchDescriptor<LoggedStage>()).first { $0.persistentModelID == identifier })
    let id = second.persistentModelID
    let transaction = try store.transaction(of: other) {
      let descriptor = FetchDescriptor<LoggedTrip>(predicate: #Predicate { $0.persistentModelID == id })
      stage.trip = moves ? try other.fetch(descriptor).first : nil
    }
    expectChanges(
      transaction,
      [.update(first, "stages"), .update(stage, "trip")] + (moves ? [.update(second, "stages")] : []))
  }

  @Test("Changing a many-to-many relationship is an update of both sides", arguments: [false, true])
  func manyToMany(fromLabel: Bool) throws {
    let (trip, label) = (try insertTrip(), LoggedLabel("new"))
    context.insert(label)
    try context.save()
    let added = try store.transaction {
      if fromLabel { label.trips.append(trip) } else { trip.labels.append(label) }
    }
    expectChanges(added, [.update(trip, "labels"), .update(label, "trips")])
    let removed = try store.transaction {
      if fromLabel { label.trips = [] } else { trip.labels.removeAll { $0 === label } }
    }
    expectChanges(removed, [.update(trip, "labels"), .update(label, "trips")])
  }

  @Test("Reordering members is an update of their owner only")
  func order() throws {
    let trip = try insertTrip()
    trip.labels.append(LoggedLabel("more"))
    try context.save()
    expectChanges(try store.transaction { trip.stages.reverse() }, [.update(trip, "stages")])
    expectChanges(try store.transaction { trip.labels.reverse() }, [.update(trip, "labels")])
    expectChanges(try store.transaction { trip.sights.reverse() }, [.update(trip, "sights")])
  }

  @Test("Setting a one-way relationship is an update of its own side only")
  func oneWay() throws {
    let trip = try insertTrip()
    let (guide, sight) = (LoggedGuide("new"), LoggedSight("new"))
    store.insert(guide, sight)
    try context.save()
    let transaction = try store.transaction {
      trip.guide = guide
      trip.sights.append(sight)
    }
    expectChanges(transaction, [.update(trip, "guide", "sights")])
    expectChanges(try store.transaction { trip.sights = [] }, [.update(trip, "sights")])
  }

  @Test(
    "Replacing a one-to-one partner is an update of the replaced partner too", arguments: [false, true], [false, true])
  func displaced(isInMemory: Bool, fromTrip: Bool) throws {
    let (first, second) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let (moving, losing) = (try #require(first.lodging), try #require(second.lodging))
    let context = isInMemory ? self.context : store.container.freshContext()
    let (movingID, secondID) = (moving.persistentModelID, second.persistentModelID)
    let transaction = try store.transaction(of: context) {
      let trips = FetchDescriptor<LoggedTrip>(predicate: #Predicate { $0.persistentModelID == secondID })
      let lodgings = FetchDescriptor<LoggedLodging>(predicate: #Predicate { $0.persistentModelID == movingID })
      let trip = try #require(try context.fetch(trips).first)
      let lodging = try #require(try context.fetch(lodgings).first)
      if fromTrip { trip.lodging = lodging } else { lodging.trip = trip }
    }
    expectChanges(
      transaction,
      [.update(first, "lodging"), .update(second, "lodging"), .update(moving, "trip"), .update(losing, "trip")])
    let stored = store.container.freshContext()
    let trips = try stored.all(LoggedTrip.self, by: \.name)
    #expect(trips.map { $0.lodging?.address } == [nil, "Alps hut"])
  }

  @Test("An inserted partner replaces the present one")
  func displacedByInsertion() throws {
    let trip = try insertTrip()
    let (old, new) = (try #require(trip.lodging), LoggedLodging("new"))
    let transaction = try store.transaction { trip.lodging = new }
    expectChanges(transaction, [.insert(new), .update(trip, "lodging"), .update(old, "trip")])
  }

  @Test("An inserted partner replaces one that is not in memory")
  func replacedPartnerNotInMemory() throws {
    let trip = try insertTrip()
    let old = try #require(trip.lodging)
    let (other, new) = (store.container.freshContext(), LoggedLodging("new"))
    let transaction = try store.transaction(of: other) {
      let mine = try other.only(LoggedTrip.self)
      other.insert(new)
      new.trip = mine
    }
    expectChanges(transaction, [.insert(new), .update(trip, "lodging"), .update(old, "trip")])
  }

  // MARK: Deletions

  @Test(
    "A deletion records its cascade, and updates of the models it is removed from", arguments: [false, true])
  func cascade(isInMemory: Bool) throws {
    let trip = try insertTrip()
    let identifiers = [trip.persistentModelID] + trip.stages.map(\.persistentModelID)
    let updated: [LoggedChange] = [
      .update(trip.labels[0], "trips"), .update(try #require(trip.lodging), "trip"),
      .update(try #require(trip.vehicle), "trips"),
    ]
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) { context.delete(try context.only(LoggedTrip.self)) }
    expectChanges(transaction, identifiers.map { .delete($0) } + updated)
  }

  @Test("Deleting a member is an update of its owner", arguments: [false, true])
  func nullified(isInMemory: Bool) throws {
    let trip = try insertTrip()
    let identifier = trip.stages[1].persistentModelID
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) {
      for stage in try context.fetch(FetchDescriptor<LoggedStage>()) where stage.persistentModelID == identifier {
        context.delete(stage)
      }
    }
    expectChanges(transaction, [.delete(identifier), .update(trip, "stages")])
  }

  @Test("Deleting a one-to-one partner is an update of the other one", arguments: [false, true])
  func nullifiedPartner(isInMemory: Bool) throws {
    let trip = try insertTrip()
    let identifier = try #require(trip.lodging).persistentModelID
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) { context.delete(try context.only(LoggedLodging.self)) }
    expectChanges(transaction, [.delete(identifier), .update(trip, "lodging")])
  }

  @Test("Deleting a member of a many-to-many is an update of each owner", arguments: [false, true])
  func nullifiedMany(isInMemory: Bool) throws {
    let (first, second) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let label = LoggedLabel("both")
    first.labels.append(label)
    second.labels.append(label)
    try self.context.save()
    let identifier = label.persistentModelID
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) {
      let descriptor = FetchDescriptor<LoggedLabel>(predicate: #Predicate { $0.word == "both" })
      context.delete(try #require(try context.fetch(descriptor).first))
    }
    expectChanges(transaction, [.delete(identifier), .update(first, "labels"), .update(second, "labels")])
  }

  @Test("Deleting the target of a one-way relationship updates its owners, in memory or not", arguments: [false, true])
  func nullifiedOneWay(isInMemory: Bool) throws {
    let trip = try insertTrip()
    let guide = try #require(trip.guide).persistentModelID
    let sight = trip.sights[0].persistentModelID
    let context = isInMemory ? self.context : store.container.freshContext()
    let first = try store.transaction(of: context) { context.delete(try context.only(LoggedGuide.self)) }
    expectChanges(first, [.delete(guide), .update(trip, "guide")])
    let second = try store.transaction(of: context) {
      for found in try context.fetch(FetchDescriptor<LoggedSight>()) where found.persistentModelID == sight {
        context.delete(found)
      }
    }
    expectChanges(second, [.delete(sight), .update(trip, "sights")])
    let stored = try store.container.freshContext().only(LoggedTrip.self)
    #expect(stored.guide == nil)
    #expect(stored.sights.count == 1)
  }

  @Test("A model that is changed and deleted in one save is recorded as a deletion only")
  func changedAndDeleted() throws {
    let guide = LoggedGuide("a")
    context.insert(guide)
    try context.save()
    let identifier = guide.persistentModelID
    let transaction = try store.transaction {
      guide.name = "b"
      context.delete(guide)
    }
    expectChanges(transaction, [.delete(identifier)])
  }

  @Test("An owner and members deleted in one save record no updates of each other", arguments: [false, true])
  func deletedTogether(isInMemory: Bool) throws {
    let trip = try insertTrip()
    let owned: [any PersistentModel] = trip.stages + trip.labels
    let identifiers = [trip.persistentModelID] + owned.map(\.persistentModelID)
    let others: [LoggedChange] = [
      .update(try #require(trip.lodging), "trip"), .update(try #require(trip.vehicle), "trips"),
    ]
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) {
      context.delete(try context.only(LoggedLabel.self))
      context.delete(try context.only(LoggedTrip.self))
    }
    expectChanges(transaction, identifiers.map { .delete($0) } + others)
  }

  // MARK: Upserts

  @Test("An upsert of an existing row is recorded as an update", arguments: [false, true])
  func upsert(isInMemory: Bool) throws {
    let label = LoggedLabel("same", colour: "grey")
    self.context.insert(label)
    try self.context.save()
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) { context.insert(LoggedLabel("same", colour: "red")) }
    #expect(transaction.logged.map(\.kind) == [.update])
    #expect(transaction.logged.map(\.identifier) == [label.persistentModelID])
    #expect(transaction.logged.first?.properties.contains("colour") == true)
    expectOrder(transaction)
  }

  @Test("Members that an upsert adds are updates of both sides")
  func upsertWithMembers() throws {
    let (trip, label) = (try insertTrip(), LoggedLabel("same"))
    context.insert(label)
    try context.save()
    let transaction = try store.transaction {
      let again = LoggedLabel("same", colour: "red")
      context.insert(again)
      again.trips = [trip]
    }
    #expect(Set(transaction.logged.map(\.identifier)) == [trip.persistentModelID, label.persistentModelID])
    #expect(transaction.logged.allSatisfy { $0.kind == .update })
    for change in transaction.logged {
      #expect(change.properties.contains(change.identifier == trip.persistentModelID ? "labels" : "trips"))
    }
    expectOrder(transaction)
  }

  @Test("Insertions with one unique value are recorded as one insertion")
  func duplicates() throws {
    let transaction = try store.transaction {
      for colour in ["a", "b", "c"] { context.insert(LoggedLabel("same", colour: colour)) }
    }
    expectChanges(transaction, [.insert(try store.container.freshContext().only(LoggedLabel.self))])
  }

  // MARK: Batch deletions and updates

  @Test("Deleting by a predicate records each row, its cascade, and updates of related rows")
  func batchDeletion() throws {
    let (trip, kept) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let gone = [trip.persistentModelID] + trip.stages.map(\.persistentModelID)
    let other = store.container.freshContext()
    other.author = "sweeper"
    let transaction = try store.transaction(of: other) {
      try other.delete(model: LoggedTrip.self, where: #Predicate { $0.name == "Alps" })
    }
    #expect(transaction.author == "sweeper")
    expectChanges(
      transaction,
      gone.map { .delete($0) } + [
        .update(trip.labels[0], "trips"), .update(try #require(trip.lodging), "trip"),
        .update(try #require(trip.vehicle), "trips"),
      ])
    #expect(try store.container.freshContext().only(LoggedTrip.self).persistentModelID == kept.persistentModelID)
  }

  @Test("Deleting all rows of a type records each deletion")
  func batchDeletionOfAll() throws {
    let guides = (0..<300).map { LoggedGuide("\($0)") }
    for guide in guides { context.insert(guide) }
    try context.save()
    let identifiers = guides.map(\.persistentModelID)
    let other = store.container.freshContext()
    let transaction = try store.transaction(of: other) { try other.delete(model: LoggedGuide.self) }
    expectChanges(transaction, identifiers.map { .delete($0) })
  }

  @Test("Deleting one-way targets by a predicate updates their owners")
  func batchDeletionOneWay() throws {
    let trip = try insertTrip()
    let sights = trip.sights.map(\.persistentModelID)
    let guide = try #require(trip.guide).persistentModelID
    let other = store.container.freshContext()
    let transaction = try store.transaction(of: other) {
      try other.delete(model: LoggedSight.self)
      try other.delete(model: LoggedGuide.self)
    }
    expectChanges(transaction, (sights + [guide]).map { .delete($0) } + [.update(trip, "guide", "sights")])
  }

  @Test("Deleting members by a predicate updates their owners", arguments: [false, true])
  func batchDeletionOfMembers(isInMemory: Bool) throws {
    let (trip, other) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let stages = (trip.stages + other.stages).map(\.persistentModelID)
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) { try context.delete(model: LoggedStage.self) }
    expectChanges(
      transaction, stages.map { .delete($0) } + [.update(trip, "stages"), .update(other, "stages")])
  }

  @Test("A batch update is an immediate transaction of its own, with the context's author")
  func batchUpdate() throws {
    let trips = (0..<5).map { LoggedTrip("\($0)", days: $0) }
    for trip in trips { context.insert(trip) }
    try context.save()
    context.author = "worker"
    context.insert(LoggedGuide("not saved yet"))
    let found = try store.transactions {
      try context.update(LoggedTrip.self, where: #Predicate { $0.days >= 3 }) {
        $0.set(\.days, to: 10)
        $0.set(\.destination, to: "Bern")
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.author == "worker")
    expectChanges(
      found.first, [.update(trips[3], "days", "destination"), .update(trips[4], "days", "destination")])
  }

  @Test("A batch update of no rows is not recorded")
  func batchUpdateOfNothing() throws {
    _ = try insertTrip()
    let found = try store.transactions {
      try context.update(LoggedTrip.self, where: #Predicate { $0.days > 100 }) { $0.set(\.days, to: 1) }
      try context.update(LoggedTrip.self) { _ in }
    }
    #expect(found.isEmpty)
  }

  @Test("A batch update records the classes of the rows")
  func batchUpdateOfSubclasses() throws {
    let (car, truck) = (LoggedVehicle(plate: "a"), LoggedTruck(plate: "b", load: 1))
    store.insert(car, truck)
    try context.save()
    let found = try store.transactions { try context.update(LoggedVehicle.self) { $0.set(\.wheels, to: 6) } }
    #expect(found.count == 1)
    expectChanges(found.first, [.update(car, "wheels"), .update(truck, "wheels")])
  }

  // MARK: Inheritance

  @Test("Changes have the class of the row, and name inherited properties")
  func subclasses() throws {
    let (car, truck) = (LoggedVehicle(plate: "a"), LoggedTruck(plate: "b", load: 1))
    expectChanges(try store.transaction { store.insert(car, truck) }, [.insert(car), .insert(truck)])
    let transaction = try store.transaction {
      truck.wheels = 8
      truck.load = 2
      car.wheels = 3
    }
    expectChanges(transaction, [.update(car, "wheels"), .update(truck, "wheels", "load")])
    let identifiers = [car.persistentModelID, truck.persistentModelID]
    let deletion = try store.transaction { for vehicle in [car, truck] { context.delete(vehicle) } }
    expectChanges(deletion, identifiers.map { .delete($0) })
  }

  @Test("Inherited properties have key paths of the class that declares them")
  func inheritedKeyPaths() throws {
    let truck = LoggedTruck(plate: "b", load: 1)
    context.insert(truck)
    try context.save()
    let transaction = try store.transaction {
      truck.wheels = 8
      truck.load = 2
    }
    guard case .update(let update as DefaultHistoryUpdate<LoggedTruck>) = transaction.changes.first else {
      Issue.record("no update of a truck")
      return
    }
    #expect(update.updatedAttributes.contains(\.load))
    // The key path of an inherited property starts at the class that declares it.
    #expect(update.updatedAttributes.contains { $0 as AnyKeyPath == \LoggedVehicle.wheels })
    #expect(!update.updatedAttributes.contains(\.plate))
  }

  @Test("A relationship to a superclass updates members of its subclasses", arguments: [false, true])
  func relationshipsOfSubclasses(isInMemory: Bool) throws {
    let (trip, truck) = (try insertTrip(), LoggedTruck(plate: "b", load: 1))
    let car = try #require(trip.vehicle)
    self.context.insert(truck)
    try self.context.save()
    expectChanges(
      try store.transaction { trip.vehicle = truck },
      [.update(trip, "vehicle"), .update(car, "trips"), .update(truck, "trips")])
    let context = isInMemory ? self.context : store.container.freshContext()
    expectChanges(
      try store.transaction(of: context) { try context.only(LoggedTrip.self).vehicle = nil },
      [.update(trip, "vehicle"), .update(truck, "trips")])
  }

  @Test("Deleting the owner of a subclass model updates the model, in memory or not", arguments: [false, true])
  func deletedWithSubclass(isInMemory: Bool) throws {
    let (trip, truck) = (LoggedTrip("a"), LoggedTruck(plate: "b", load: 1))
    store.insert(trip, truck)
    trip.vehicle = truck
    try self.context.save()
    let identifier = trip.persistentModelID
    let context = isInMemory ? self.context : store.container.freshContext()
    let transaction = try store.transaction(of: context) { context.delete(try context.only(LoggedTrip.self)) }
    expectChanges(transaction, [.delete(identifier), .update(truck, "trips")])
  }

  // MARK: Several kinds, contexts and containers

  @Test("A transaction has its insertions, updates and deletions in this order")
  func everything() throws {
    let (trip, other) = (try insertTrip("Alps"), try insertTrip("Andes"))
    let (sight, guide) = (LoggedSight("new"), LoggedGuide("new"))
    let (label, stage) = (trip.labels[0].persistentModelID, other.stages[0].persistentModelID)
    let transaction = try store.transaction {
      context.delete(other.stages[0])
      trip.days = 5
      store.insert(sight, guide)
      context.delete(trip.labels[0])
      other.vehicle?.wheels = 2
    }
    expectChanges(
      transaction,
      [
        .insert(sight), .insert(guide), .update(trip, "days", "labels"), .update(other, "stages"),
        .update(try #require(other.vehicle), "wheels"), .delete(label), .delete(stage),
      ])
    let kinds = transaction.logged.map(\.kind)
    #expect(kinds == kinds.sorted())
  }

  @Test("Saves of several contexts are in the order of their commits")
  func severalContexts() throws {
    let contexts = (0..<3).map { number in
      let context = ModelContext(store.container)
      context.author = "\(number)"
      return context
    }
    let order = [0, 1, 2, 2, 0, 1, 1, 1, 0, 2]
    let before = Date.now
    let found = try store.transactions {
      for number in order { contexts[number].insert(LoggedGuide("\(number)")) }
      for number in order {
        contexts[number].insert(LoggedSight("\(number)"))
        try contexts[number].save()
      }
    }
    #expect(found.map(\.author) == order.map { "\($0)" })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.transactionIdentifier < $1.transactionIdentifier })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.token < $1.token })
    #expect(
      found.allSatisfy { $0.timestamp >= before.addingTimeInterval(-1) && $0.timestamp <= .now.addingTimeInterval(1) })
    #expect(Set(found.map(\.id)).count == order.count)
    for transaction in found { expectOrder(transaction) }
  }

  @Test("Contexts on several threads record one transaction for each save, in one order")
  func severalThreads() async throws {
    let container = store.container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let context = ModelContext(container)
          context.author = "\(writer)"
          for number in 0..<25 {
            context.insert(LoggedGuide("\(number)"))
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try container.logged()
    #expect(found.count == 100)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.token < $1.token })
    for writer in 0..<4 {
      let own = found.filter { $0.author == "\(writer)" }.flatMap(\.logged).map(\.identifier)
      #expect(own == own.sorted())
      #expect(own.count == 25)
    }
  }

  @Test("A store in memory has a history too")
  func inMemory() throws {
    let store = try LoggedStore(isStoredInMemoryOnly: true)
    let guide = LoggedGuide("a")
    expectChanges(try store.transaction { store.insert(guide) }, [.insert(guide)])
    expectChanges(try store.transaction { guide.name = "b" }, [.update(guide, "name")])
    let identifier = guide.persistentModelID
    expectChanges(try store.transaction { store.context.delete(guide) }, [.delete(identifier)])
    #expect(try store.container.logged().count == 3)
  }

  @Test("Two containers on one file write one history, which both read")
  func twoContainers() throws {
    let other = try store.reopen()
    let (mine, theirs) = (ModelContext(store.container), ModelContext(other))
    (mine.author, theirs.author) = ("mine", "theirs")
    for number in 0..<10 {
      let context = number % 3 == 0 ? theirs : mine
      context.insert(LoggedGuide("\(number)"))
      try context.save()
    }
    let found = try store.container.logged()
    #expect(found.map(\.author) == (0..<10).map { $0 % 3 == 0 ? "theirs" : "mine" })
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.token < $1.token })
    let read = try other.logged()
    #expect(read == found)
    #expect(read.map { $0.logged } == found.map { $0.logged })
  }

  @Test("Another process writes to the same history")
  func otherProcess() async throws {
    context.insert(LoggedGuide("mine"))
    try context.save()
    await #expect(processExitsWith: .success) { [path = store.url.path as String] in
      let container = try LoggedStore.open(URL(fileURLWithPath: path))
      let context = ModelContext(container)
      context.author = "child"
      context.insert(LoggedGuide("theirs"))
      try context.save()
    }
    context.insert(LoggedGuide("mine again"))
    try context.save()
    let found = try store.container.logged()
    #expect(found.map(\.author) == [nil, "child", nil])
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.token < $1.token })
    #expect(found.count == 3 && found[0].processIdentifier == found[2].processIdentifier)
    #expect(found.count == 3 && found[0].processIdentifier != found[1].processIdentifier)
  }

  // MARK: Authors, failures, size

  @Test("A transaction has the author of the context at the save")
  func authors() throws {
    var expected: [String?] = []
    for author in [nil, "app", "app", "", "\u{e9}'\"%\u{0}x", nil] as [String?] {
      context.author = author
      context.insert(LoggedGuide("a"))
      try context.save()
      expected.append(author)
    }
    #expect(try store.container.logged().map(\.author) == expected)
  }

  @Test("A failed save is not recorded, and its retry is one transaction")
  func failedSave() throws {
    let (first, second) = (LoggedLabel("1"), LoggedLabel("2"))
    store.insert(first, second)
    try context.save()
    let guide = LoggedGuide("with it")
    let found = try store.transactions {
      first.word = "2"
      context.insert(guide)
      for _ in 0..<3 { #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() } }
    }
    #expect(found.isEmpty)
    expectChanges(try store.transaction { first.word = "3" }, [.insert(guide), .update(first, "word")])
  }

  @Test("Changes that are rolled back are not recorded")
  func rollback() throws {
    let trip = try insertTrip()
    let found = try store.transactions {
      trip.days = 100
      context.insert(LoggedGuide("a"))
      context.delete(trip.labels[0])
      context.rollback()
      try context.save()
    }
    #expect(found.isEmpty)
    expectChanges(try store.transaction { trip.destination = "x" }, [.update(trip, "destination")])
  }

  @Test("A context's transaction is one history transaction, and none when it throws")
  func transactionBlock() throws {
    let guide = LoggedGuide("a")
    let found = try store.transactions {
      try context.transaction {
        context.insert(guide)
        try context.transaction { context.insert(LoggedSight("b")) }
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.changes.count == 2)
    let none = try store.transactions {
      #expect(throws: NotOne.self) {
        try context.transaction {
          guide.name = "b"
          throw NotOne(count: 0)
        }
      }
      context.rollback()
    }
    #expect(none.isEmpty)
  }

  @Test("A hundred thousand insertions take a few bytes, and so do their deletions")
  func size() throws {
    for number in 0..<100_000 { context.insert(LoggedGuide(number % 2 == 0 ? "a" : "b")) }
    try context.save()
    let lengths = "SELECT CAST(length(changes) AS TEXT) FROM swiftdata_history ORDER BY 1"
    let first = try StoreFiles.texts(lengths, at: store.url).compactMap(Int.init)
    #expect(first.count == 1)
    #expect(first.allSatisfy { $0 < 200 }, "\(first)")
    #expect(try store.container.logged().last?.changes.count == 100_000)
    let other = ModelContext(store.container)
    try other.delete(model: LoggedGuide.self)
    try other.save()
    let all = try StoreFiles.texts(lengths, at: store.url).compactMap(Int.init)
    #expect(all.count == 2)
    #expect(all.allSatisfy { $0 < 200 }, "\(all)")
  }
}
