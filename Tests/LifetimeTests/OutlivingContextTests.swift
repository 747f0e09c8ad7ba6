import Dispatch
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Models that outlive the variable of their context")
struct OutlivingContextTests {
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Master.self, Beast.self, Medal.self)
    let context = ModelContext(container)
    let medal = Medal("brave")
    for name in ["Ann", "Bob", "Cid"] {
      let master = Master(name)
      master.beasts = [Beast("\(name)'s cat"), Beast("\(name)'s dog")]
      master.medals = [medal]
      context.insert(master)
    }
    try context.save()
  }

  // As applications do it: the context is released at the end of the call.

  private func fetchMasters() throws -> [Master] {
    try ModelContext(container).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
  }

  private func prefetchMasters() throws -> [Master] {
    var descriptor = FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])
    descriptor.relationshipKeyPathsForPrefetching = [\.beasts]
    return try ModelContext(container).fetch(descriptor)
  }

  private func saved<Model: PersistentModel>(_ type: Model.Type) throws -> [Model] {
    try container.freshContext().fetch(FetchDescriptor<Model>())
  }

  // MARK: Reading

  @Test("Models whose context was released read their relationships")
  func relationships() throws {
    let masters = try fetchMasters()
    #expect(masters.map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(masters[0].beasts.count == 2)
    #expect(masters[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog"])
    #expect(masters[1].beasts[0].master === masters[1])
    #expect(masters[2].medals.map(\.word) == ["brave"])
    #expect(masters[2].medals[0].masters.map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(masters[2].medals[0].masters[0] === masters[0])
  }

  @Test("Models whose context was released have their prefetched relationships")
  func prefetched() throws {
    let masters = try prefetchMasters()
    #expect(masters.map(\.beasts.count) == [2, 2, 2])
    #expect(masters[2].beasts.map(\.age) == [0, 0])
  }

  @Test("A fault fires after its context was released")
  func unread() throws {
    let identifier = try fetchMasters()[1].persistentModelID
    func find() -> Master? { ModelContext(container).model(for: identifier) as? Master }
    let master = try #require(find())
    #expect(master.name == "Bob")
    #expect(master.beasts.count == 2)
  }

  @Test("Models whose context was released keep their identity while one of them is retained")
  func identity() throws {
    var masters = try fetchMasters()
    let beast = try #require(masters[0].beasts.first)
    masters.removeAll()
    let master = try #require(beast.master)
    #expect(master.name == "Ann")
    #expect(master.beasts.contains { $0 === beast })
    #expect(beast.modelContext?.registeredModel(for: master.persistentModelID) as Master? === master)
  }

  @Test("Models whose context was released share a new context")
  func context() throws {
    let masters = try fetchMasters()
    let context = try #require(masters[0].modelContext)
    #expect(context == masters[2].modelContext)
    #expect(try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])).first === masters[0])
    #expect(context.container == container)
  }

  // MARK: Changing

  @Test("A change after the context was released is saved by the context in modelContext")
  func changes() throws {
    let masters = try fetchMasters()
    let beast = masters[0].beasts[0]
    masters[0].count = 7
    masters[0].count += 1
    beast.age = 3
    #expect(masters[0].hasChanges)
    #expect(masters[0].count == 8)
    try masters[1].modelContext?.save()
    #expect(!masters[0].hasChanges)
    let master = try #require(try saved(Master.self).first { $0.name == "Ann" })
    #expect(master.count == 8)
    #expect(master.beasts.map(\.age) == [3, 0])
  }

  @Test("A change after the context was released is pending until a new context saves or rolls it back")
  func waitingChange() throws {
    let masters = try fetchMasters()
    masters[0].count = 7
    masters[1].beasts.append(Beast("new"))
    // Each line makes another context, which is released at its end.
    #expect(masters[1].modelContext?.hasChanges == true)
    #expect(masters[0].modelContext?.changedModelsArray.count == 2)
    #expect(try masters[2].modelContext?.fetch(FetchDescriptor<Beast>()).count == 7)
    #expect(masters[0].count == 7)
    #expect(masters[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog", "new"])
    try masters[2].modelContext?.save()
    #expect(try saved(Master.self).map(\.count) == [7, 0, 0])
    #expect(try saved(Beast.self).count == 7)

    masters[0].count = 1
    masters[1].beasts = []
    masters[0].modelContext?.rollback()
    #expect(masters[0].count == 7)
    #expect(masters[1].beasts.count == 3)
    #expect(masters[0].modelContext?.hasChanges == false)
  }

  @Test("A link set after the context was released is set on one side, and on both in the next context")
  func links() throws {
    let masters = try fetchMasters()
    masters[2].beasts.append(Beast("a parrot"))
    #expect(masters[2].beasts.map(\.name) == ["Cid's cat", "Cid's dog", "a parrot"])
    let medal = masters[0].medals[0]
    medal.masters.removeAll { $0 === masters[2] }
    masters[2].medals = [Medal("old")]
    let cat = masters[0].beasts[0]
    cat.master = masters[1]
    cat.friend = masters[1].beasts[0]
    masters[0].partner = masters[2]
    #expect(cat.master === masters[1])
    let context = try #require(masters[2].modelContext)
    #expect(masters[2].beasts[2].master === masters[2])
    #expect(masters[0].beasts.map(\.name) == ["Ann's dog"])
    #expect(masters[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog", "Ann's cat"])
    #expect(masters[2].partnerOf === masters[0])
    try context.save()
    let saved = try saved(Master.self).sorted { $0.name < $1.name }
    #expect(saved[0].beasts.map(\.name) == ["Ann's dog"])
    #expect(saved[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog", "Ann's cat"])
    #expect(saved[1].beasts[2].friend?.name == "Bob's cat")
    #expect(saved[2].beasts.map(\.name) == ["Cid's cat", "Cid's dog", "a parrot"])
    #expect(saved[2].medals.map(\.word) == ["old"])
    #expect(saved[0].partner === saved[2])
  }

  @Test("A one-to-one set after the context was released removes the target's earlier partner")
  func oneToOne() throws {
    do {
      let context = ModelContext(container)
      let masters = try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      masters[0].partner = masters[1]
      try context.save()
    }
    let masters = try fetchMasters()
    masters[2].partner = masters[1]
    #expect(masters[0].partner === masters[1])
    try masters[0].modelContext?.save()
    #expect(masters[0].partner == nil)
    let saved = try saved(Master.self).sorted { $0.name < $1.name }
    #expect(saved.map { $0.partner?.name } == [nil, nil, "Bob"])
    #expect(saved[1].partnerOf === saved[2])
  }

  @Test("A one-way to-many set after the context was released is saved", arguments: [[], ["b"], ["b", "a"]])
  func oneWay(titles: [String]) throws {
    let container = try makeRelations()
    do {
      let context = ModelContext(container)
      let playlist = Playlist("p")
      context.insert(playlist)
      playlist.tracks = [Track("a"), Track("b")]
      try context.save()
    }
    let playlist = try ModelContext(container).only(Playlist.self)
    let tracks = playlist.tracks
    playlist.tracks = titles.compactMap { title in tracks.first { $0.title == title } }
    try playlist.modelContext?.save()
    #expect(try ModelContext(container).only(Playlist.self).tracks.map(\.title) == titles)
  }

  @Test("While their new context is retained, models work as with any context")
  func retainedContext() throws {
    let masters = try fetchMasters()
    let context = try #require(masters[0].modelContext)
    #expect(context === masters[1].modelContext)
    let master = Master("Dan")
    master.beasts = [Beast("Dan's fox")]
    context.insert(master)
    context.delete(masters[2])
    context.delete(masters[1].beasts[1])
    #expect(context.insertedModelsArray.count == 2)
    #expect(context.deletedModelsArray.count == 4)
    try context.save()
    #expect(try saved(Master.self).map(\.name).sorted() == ["Ann", "Bob", "Dan"])
    #expect(try saved(Beast.self).map(\.name).sorted() == ["Ann's cat", "Ann's dog", "Bob's cat", "Dan's fox"])
  }

  @Test("A released context discards its unsaved changes, and retained models can be read")
  func discarded() throws {
    let kept: (masters: [Master], new: Master, beast: Beast)
    do {
      let context = ModelContext(container)
      let masters = try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      let (new, beast) = (Master("new"), Beast("newer"))
      context.insert(new)
      new.beasts = [beast]
      new.partner = masters[0]
      masters[0].name = "Amy"
      masters[1].beasts.removeAll()
      context.delete(masters[2])
      kept = (masters, new, beast)
    }
    #expect(kept.masters.map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(kept.masters.map(\.beasts.count) == [2, 2, 2])
    #expect(!kept.masters.contains { $0.hasChanges || $0.isDeleted })
    #expect(kept.masters[0].partnerOf == nil)
    // Transient again, with links to other transient models.
    #expect(kept.new.modelContext == nil)
    #expect(kept.new.beasts.map(\.name) == ["newer"])
    #expect(kept.beast.master == nil)
    let context = try #require(kept.masters[0].modelContext)
    #expect(!context.hasChanges)
    context.insert(kept.new)
    try context.save()
    #expect(kept.beast.master === kept.new)
    #expect(kept.new.partner === kept.masters[0])
  }

  @Test("A new context that is released discards its own changes, and keeps earlier pending ones")
  func discardedAgain() throws {
    let masters = try fetchMasters()
    masters[0].count = 1
    do {
      let context = try #require(masters[0].modelContext)
      masters[1].count = 2
      context.insert(Master("new"))
      context.delete(masters[2])
    }
    #expect(masters.map(\.count) == [1, 0, 0])
    #expect(masters.map(\.hasChanges) == [true, false, false])
    try masters[0].modelContext?.save()
    #expect(try saved(Master.self).map(\.count) == [1, 0, 0])
  }

  @Test("The new context merges what other contexts save")
  func refresh() throws {
    let masters = try fetchMasters()
    let other = ModelContext(container)
    for master in try other.fetch(FetchDescriptor<Master>()) { master.count = 5 }
    try other.save()
    masters[0].modelContext?.processPendingChanges()
    #expect(masters.map(\.count) == [5, 5, 5])
  }

  // MARK: Release

  @Test("Models whose context was released are released with the models that they reference", arguments: [false, true])
  func releasedAfterReading(isPrefetched: Bool) throws {
    weak var master: Master?
    weak var beast: Beast?
    weak var medal: Medal?
    func walk() throws -> Master {
      let masters = isPrefetched ? try prefetchMasters() : try fetchMasters()
      for master in masters {
        for beast in master.beasts { #expect(beast.master?.name == master.name) }
        for medal in master.medals { #expect(medal.masters.count == 3) }
      }
      beast = masters[0].beasts[0]
      medal = masters[0].medals[0]
      return masters[0]
    }
    var kept: Master? = try walk()
    master = kept
    #expect(kept?.medals.first?.masters.first === kept)
    kept = nil
    #expect(master == nil)
    #expect(beast == nil)
    #expect(medal == nil)
  }

  @Test(
    "Models with changes made after their context was released are released, and their container as well",
    arguments: 0..<6)
  func releasedWithChanges(change: Int) throws {
    weak var container: ModelContainer?
    weak var master: Master?
    func changed() throws -> Any {
      let made = try makeContainer(Master.self, Beast.self, Medal.self)
      container = made
      let filling = ModelContext(made)
      for name in ["Ann", "Bob"] {
        let master = Master(name)
        filling.insert(master)
        master.beasts = [Beast("cat")]
        master.medals = [Medal("brave")]
      }
      try filling.save()
      let masters = try ModelContext(made).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      master = masters[0]
      switch change {
      case 0: break
      case 1: masters[0].count = 5
      case 2:
        masters[0].beasts.append(Beast("new"))
        return masters[0].beasts[1]
      case 3:
        masters[0].medals.append(Medal("new"))
        masters[0].partner = masters[1]
        #expect(masters[1].modelContext?.hasChanges == true)
        return (masters[0], masters[0].medals[1])
      case 4:
        let new = Master("new")
        new.beasts = [Beast("newer")]
        masters[0].modelContext?.insert(new)
        masters[0].count = 1
        return new
      default:
        let (new, beast) = (Master("new"), masters[0].beasts[0])
        new.beasts.append(beast)
        return beast
      }
      return masters[0]
    }
    var kept: Any? = try changed()
    #expect(kept != nil)
    kept = nil
    #expect(master == nil)
    #expect(container == nil)
  }

  @Test("Hundreds of contexts that fetch, change and insert leave no objects when they are released")
  func scratchContexts() throws {
    var traces: [Trace] = []
    for round in 0..<500 {
      let context = ModelContext(container)
      let masters = try context.fetch(FetchDescriptor<Master>())
      for master in masters { #expect(master.beasts.allSatisfy { $0.master === master }) }
      masters[0].count = round
      let new = Master("new")
      if round.isMultiple(of: 2) { context.insert(new) }
      new.beasts = (0..<10).map { Beast("\($0)") }
      new.medals = masters[0].medals
      if !round.isMultiple(of: 2) { context.insert(new) }
      traces.append(Trace("graph", context.graph))
      traces += (masters + [new]).map { Trace($0.name, $0) }
      traces += (masters[0].beasts + new.beasts).map { Trace($0.name, $0) }
    }
    #expect(traces.filter(\.isThere).map(\.name) == [])
  }

  @Test("A context that is released with unsaved changes retains no models")
  func droppedContext() throws {
    weak var inserted: Master?
    weak var changed: Master?
    weak var deleted: Master?
    weak var dropped: ModelContext?
    func changeAndRelease() throws {
      let context = ModelContext(container)
      dropped = context
      let masters = try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      let new = Master("new")
      new.beasts = [Beast("newer")]
      context.insert(new)
      masters[0].beasts.append(contentsOf: masters[1].beasts)
      context.delete(masters[2])
      (inserted, changed, deleted) = (new, masters[0], masters[2])
    }
    try changeAndRelease()
    #expect(dropped == nil)
    #expect(inserted == nil)
    #expect(changed == nil)
    #expect(deleted == nil)
    #expect(try saved(Master.self).count == 3)
  }

  @Test("Releasing thousands of models one by one takes linear time")
  func manyReleased() throws {
    let filling = ModelContext(container)
    let master = Master("Many")
    master.beasts = (0..<3000).map { Beast("\($0)") }
    filling.insert(master)
    try filling.save()
    func beasts() throws -> [Beast] {
      let beasts = try ModelContext(container).fetch(FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)]))
      for beast in beasts { #expect(beast.master != nil) }
      return beasts
    }
    weak var last: Beast?
    do {
      var kept = try beasts()
      last = kept.last
      for place in kept.indices { kept[place].age = place }
      kept.shuffle()
      while kept.popLast() != nil {}
    }
    #expect(last == nil)
    do {
      let owner = try #require(try fetchMasters().first)
      owner.beasts = (0..<3000).map { Beast("\($0)") }.reversed()
      last = owner.beasts.last
    }
    #expect(last == nil)
  }

  @Test("An actor's models can be read and changed after the actor was released")
  func actorGone() async throws {
    let masters = try await handedOut()
    #expect(masters.models.map(\.beasts.count) == [2, 2, 2])
    let beast = masters.models[0].beasts[0]
    beast.age = 9
    try masters.models[0].modelContext?.save()
    #expect(try saved(Beast.self).map(\.age).max() == 9)
  }

  private func handedOut() async throws -> HandedOut {
    try await Kennel(modelContainer: container).masters()
  }

  @Test("Models of the main context stay on the main actor, whatever thread releases the container")
  @MainActor
  func mainContainer() async throws {
    for _ in 0..<200 {
      let keeper = ContainerKeeper(try makeContainer(Master.self, Beast.self, Medal.self))
      let context = try #require(keeper.container?.mainContext)
      let master = Master("main")
      master.beasts = [Beast("cat"), Beast("dog")]
      context.insert(master)
      try context.save()
      let found = try #require(try keeper.container?.freshlyFetchedOnMain())
      DispatchQueue.global().async { keeper.drop() }
      for round in 0..<20 {
        #expect(found.beasts.map(\.name) == ["cat", "dog"])
        found.count = round
      }
      await keeper.dropped()
      #expect(found.beasts.first?.master === found)
      try found.modelContext?.save()
      #expect(found.count == 19)
    }
  }
}

extension ModelContainer {
  @MainActor
  fileprivate func freshlyFetchedOnMain() throws -> Master {
    try mainContext.only(Master.self)
  }
}

/// Models that leave an actor, as code in Swift 5 mode can pass them. No other reference to them exists.
private struct HandedOut: @unchecked Sendable {
  let models: [Master]
}

@ModelActor
private actor Kennel {
  func masters() throws -> HandedOut {
    HandedOut(models: try modelContext.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])))
  }
}

/// Releases a container on another thread.
private final class ContainerKeeper: Sendable {
  private let held: Mutex<ModelContainer?>
  private let stream = AsyncStream<Void>.makeStream()

  init(_ container: ModelContainer) {
    held = Mutex(container)
  }

  var container: ModelContainer? { held.withLock { $0 } }

  func drop() {
    held.withLock { $0 = nil }
    stream.continuation.finish()
  }

  func dropped() async {
    for await _ in stream.stream {}
  }
}
