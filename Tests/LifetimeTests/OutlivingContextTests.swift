import Dispatch
import Foundation
import Support
import SwiftData
import Testing

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

  // As public code does it: the context is no longer than the call.

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

  @Test("Models that outlive their context's variable lead to what nobody had read")
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

  @Test("Models that outlive their context's variable have the relationships that were prefetched")
  func prefetched() throws {
    let masters = try prefetchMasters()
    #expect(masters.map(\.beasts.count) == [2, 2, 2])
    #expect(masters[2].beasts.map(\.age) == [0, 0])
  }

  @Test("Models that outlive their context's variable are read when they are touched first")
  func unread() throws {
    let identifier = try fetchMasters()[1].persistentModelID
    func find() -> Master? { ModelContext(container).model(for: identifier) as? Master }
    let master = try #require(find())
    #expect(master.name == "Bob")
    #expect(master.beasts.count == 2)
  }

  @Test("Surviving models are found as the same objects as long as one of them is there")
  func identity() throws {
    var masters = try fetchMasters()
    let beast = try #require(masters[0].beasts.first)
    masters.removeAll()
    let master = try #require(beast.master)
    #expect(master.name == "Ann")
    #expect(master.beasts.contains { $0 === beast })
    #expect(beast.modelContext?.registeredModel(for: master.persistentModelID) as Master? === master)
  }

  @Test("Surviving models have one context, which knows them")
  func context() throws {
    let masters = try fetchMasters()
    let context = try #require(masters[0].modelContext)
    #expect(context === masters[1].modelContext)
    #expect(context == masters[2].modelContext)
    #expect(try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])).first === masters[0])
    #expect(context.container == container)
  }

  // MARK: Changing

  @Test("Surviving models are changed and saved by the context that they hand out")
  func changes() throws {
    let masters = try fetchMasters()
    masters[0].count = 7
    masters[0].beasts[0].age = 3
    masters[0].beasts[1].master?.name = "Anna"
    #expect(masters[0].hasChanges)
    #expect(masters[1].modelContext?.hasChanges == true)
    try masters[1].modelContext?.save()
    #expect(!masters[0].hasChanges)
    let master = try #require(try saved(Master.self).first { $0.name == "Anna" })
    #expect(master.count == 7)
    #expect(master.beasts.map(\.age) == [3, 0])
  }

  @Test("Surviving models take new members, which are saved with them")
  func newMembers() throws {
    let masters = try fetchMasters()
    masters[2].beasts.append(Beast("a parrot"))
    #expect(masters[2].beasts.map(\.name) == ["Cid's cat", "Cid's dog", "a parrot"])
    #expect(masters[2].beasts[2].master === masters[2])
    masters[2].medals.append(Medal("old"))
    masters[0].medals[0].masters.removeAll { $0 === masters[2] }
    #expect(masters[2].medals.map(\.word) == ["old"])
    try masters[2].modelContext?.save()
    let cid = try #require(try saved(Master.self).first { $0.name == "Cid" })
    #expect(cid.beasts.map(\.name) == ["Cid's cat", "Cid's dog", "a parrot"])
    #expect(cid.medals.map(\.word) == ["old"])
  }

  @Test("Surviving models hand members over to one another")
  func movedMembers() throws {
    let masters = try fetchMasters()
    let cat = masters[0].beasts[0]
    cat.master = masters[1]
    masters[1].beasts[0].friend = cat
    masters[0].partner = masters[2]
    #expect(masters[0].beasts.map(\.name) == ["Ann's dog"])
    #expect(masters[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog", "Ann's cat"])
    #expect(masters[2].partnerOf === masters[0])
    try masters[0].modelContext?.save()
    let saved = try saved(Master.self).sorted { $0.name < $1.name }
    #expect(saved[0].beasts.map(\.name) == ["Ann's dog"])
    #expect(saved[1].beasts.map(\.name) == ["Bob's cat", "Bob's dog", "Ann's cat"])
    #expect(saved[1].beasts[0].friend?.name == "Ann's cat")
    #expect(saved[0].partner === saved[2])
  }

  @Test("Surviving models insert and delete by the context that they hand out, call after call")
  func insertions() throws {
    let masters = try fetchMasters()
    func add() {
      let master = Master("Dan")
      master.beasts = [Beast("Dan's fox")]
      masters[0].modelContext?.insert(master)
    }
    add()
    masters[1].modelContext?.delete(masters[2])
    masters[1].modelContext?.delete(masters[1].beasts[1])
    #expect(masters[0].modelContext?.insertedModelsArray.count == 2)
    #expect(masters[0].modelContext?.deletedModelsArray.count == 4)
    try masters[1].modelContext?.save()
    #expect(try saved(Master.self).map(\.name).sorted() == ["Ann", "Bob", "Dan"])
    #expect(try saved(Beast.self).map(\.name).sorted() == ["Ann's cat", "Ann's dog", "Bob's cat", "Dan's fox"])
  }

  @Test("One surviving model keeps the changes of all, whichever it is", arguments: 0..<3)
  func changesOfOthers(place: Int) throws {
    func change() throws -> Master {
      let masters = try fetchMasters()
      for master in masters { master.count += 10 }
      return masters[place]
    }
    let master = try change()
    #expect(master.count == 10)
    #expect(master.hasChanges)
    try master.modelContext?.save()
    #expect(try saved(Master.self).map(\.count) == [10, 10, 10])
  }

  @Test("One surviving model keeps the links of all, whichever it is", arguments: 0..<5)
  func linksOfOthers(kept: Int) throws {
    func change() throws -> any PersistentModel {
      let masters = try fetchMasters()
      let (medal, beast, new) = (Medal("new"), masters[0].beasts[0], Master("New"))
      masters[0].medals.append(medal)
      masters[1].medals.append(medal)
      beast.master = new
      new.partner = masters[2]
      new.count = 3
      masters[2].count = 4
      medal.word = "newest"
      return [masters[0], medal, beast, new, masters[2]][kept] as any PersistentModel
    }
    let model = try change()
    try model.modelContext?.save()
    let masters = try saved(Master.self).sorted { $0.name < $1.name }
    #expect(masters.map(\.name) == ["Ann", "Bob", "Cid", "New"])
    #expect(masters.map(\.count) == [0, 0, 4, 3])
    #expect(
      masters.map { $0.medals.map(\.word).sorted() } == [["brave", "newest"], ["brave", "newest"], ["brave"], []])
    #expect(
      masters.map { $0.beasts.map(\.name) } == [
        ["Ann's dog"], ["Bob's cat", "Bob's dog"], ["Cid's cat", "Cid's dog"], ["Ann's cat"],
      ])
    #expect(masters[3].partner === masters[2])
  }

  @Test("Surviving models are rolled back by the context that they hand out")
  func rollback() throws {
    let masters = try fetchMasters()
    masters[0].name = "Amy"
    masters[0].beasts.removeAll()
    masters[1].beasts.append(Beast("new"))
    masters[0].modelContext?.rollback()
    #expect(masters[0].name == "Ann")
    #expect(masters[0].beasts.count == 2)
    #expect(masters[1].beasts.count == 2)
    #expect(masters[0].modelContext?.hasChanges == false)
  }

  @Test("Surviving models take in what other contexts save")
  func refresh() throws {
    let masters = try fetchMasters()
    let other = ModelContext(container)
    for master in try other.fetch(FetchDescriptor<Master>()) { master.count = 5 }
    try other.save()
    masters[0].modelContext?.processPendingChanges()
    #expect(masters.map(\.count) == [5, 5, 5])
  }

  // MARK: Going away

  @Test("Surviving models go with all that they led to when nobody holds them", arguments: [false, true])
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

  @Test("Surviving models go with their unsaved changes, and let go of their container")
  func releasedWithChanges() throws {
    weak var container: ModelContainer?
    weak var master: Master?
    func change(_ body: ([Master], ModelContext?) -> Any?) throws -> Any? {
      let made = try makeContainer(Master.self, Beast.self, Medal.self)
      container = made
      let filling = ModelContext(made)
      for name in ["Ann", "Bob"] {
        let master = Master(name)
        master.beasts = [Beast("cat")]
        master.medals = [Medal("brave")]
        filling.insert(master)
      }
      try filling.save()
      let masters = try ModelContext(made).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      master = masters[0]
      return body(masters, nil)
    }
    let changes: [(String, ([Master], ModelContext?) -> Any?)] = [
      ("nothing", { masters, _ in masters[0] }),
      (
        "an attribute",
        { masters, _ in
          masters[0].count = 5
          return masters[0]
        }
      ),
      (
        "a new member",
        { masters, _ in
          masters[0].beasts.append(Beast("new"))
          return masters[0]
        }
      ),
      (
        "the new member",
        { masters, _ in
          masters[0].beasts.append(Beast("new"))
          return masters[0].beasts[1]
        }
      ),
      (
        "both sides",
        { masters, _ in
          masters[0].medals.append(Medal("new"))
          masters[0].medals[1].masters.append(masters[1])
          masters[0].partner = masters[1]
          masters[1].partner = masters[0]
          return (masters[1], masters[0].medals[1])
        }
      ),
      (
        "itself",
        { masters, _ in
          masters[0].partner = masters[0]
          return masters[0]
        }
      ),
      (
        "a ring",
        { masters, _ in
          masters[0].beasts[0].friend = masters[1].beasts[0]
          masters[1].beasts[0].friend = masters[0].beasts[0]
          return masters[0].beasts[0]
        }
      ),
      (
        "an insertion",
        { masters, _ in
          let new = Master("new")
          new.beasts = [Beast("newer")]
          masters[0].modelContext?.insert(new)
          masters[0].count = 1
          return new
        }
      ),
      (
        "a deletion",
        { masters, _ in
          masters[0].modelContext?.delete(masters[1])
          masters[0].name = "x"
          return masters[1]
        }
      ),
      (
        "a new owner",
        { masters, _ in
          let (new, beast) = (Master("new"), masters[0].beasts[0])
          new.beasts.append(beast)
          return beast
        }
      ),
    ]
    for (name, body) in changes {
      var kept = try change(body)
      #expect(kept != nil)
      #expect(container != nil, "\(name)")
      kept = nil
      // Where models lead to each other, this may be found out a moment later only.
      _ = comesTrueHere { container == nil }
      #expect(master == nil, "\(name)")
      #expect(container == nil, "\(name)")
    }
  }

  @Test("Models are gone with the last of them though members were read beside unsaved ones")
  func readBesideAdded() async throws {
    weak var container: ModelContainer?
    func change() throws -> Beast {
      let made = try makeContainer(Master.self, Beast.self, Medal.self)
      container = made
      let context = ModelContext(made)
      let masters = [Master("Ann"), Master("Bob")]
      for master in masters { context.insert(master) }
      masters[0].beasts = [Beast("cat"), Beast("dog")]
      masters[1].beasts = [Beast("hen")]
      try context.save()
      let other = ModelContext(made)
      let read = try other.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      let cat = try #require(read[0].beasts.first)
      cat.master = read[1]
      return cat
    }
    do {
      let cat = try change()
      #expect(cat.master?.beasts.map(\.name) == ["hen", "cat"])
      #expect(cat.master?.beasts.last === cat)
      #expect(cat.modelContext?.hasChanges == true)
    }
    #expect(await isGone(container))
  }

  @Test("Models without changes are kept whole when what leads to them is not held")
  func targetOfAChange() throws {
    let container = try makeContainer(Knots.Knot.self, Knots.Tag.self)
    let filling = ModelContext(container)
    let knots = ["a", "b"].map { Knots.Knot($0, style: Knots.Style()) }
    for knot in knots { filling.insert(knot) }
    knots[1].tags = [Knots.Tag("x")]
    try filling.save()
    func change() throws -> Knots.Tag {
      let context = ModelContext(container)
      let knots = try context.fetch(FetchDescriptor<Knots.Knot>(sortBy: [SortDescriptor(\.name)]))
      let tag = try #require(try context.fetch(FetchDescriptor<Knots.Tag>()).first)
      knots[0].best = tag
      return tag
    }
    let tag = try change()
    #expect(tag.knots.map(\.name) == ["b"])
    #expect(tag.modelContext?.hasChanges == true)
    try tag.modelContext?.save()
    let saved = try ModelContext(container).fetch(FetchDescriptor<Knots.Knot>(sortBy: [SortDescriptor(\.name)]))
    #expect(saved.map { $0.best?.word } == ["x", nil])
  }

  @Test("A context that goes away with unsaved changes keeps nothing")
  func droppedContext() throws {
    weak var inserted: Master?
    weak var changed: Master?
    weak var deleted: Master?
    weak var dropped: ModelContext?
    func work() throws {
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
    try work()
    #expect(dropped == nil)
    #expect(inserted == nil)
    #expect(changed == nil)
    #expect(deleted == nil)
    #expect(try saved(Master.self).count == 3)
  }

  @Test("What a context inserted is still its own while somebody holds it")
  func heldInsertion() throws {
    func insert() -> Master {
      let master = Master("new")
      master.beasts = [Beast("newer")]
      ModelContext(container).insert(master)
      return master
    }
    let master = insert()
    #expect(master.modelContext?.insertedModelsArray.count == 2)
    master.beasts[0].age = 4
    try master.modelContext?.save()
    #expect(try saved(Beast.self).map(\.age).max() == 4)
  }

  @Test("Thousands of surviving models go away one after the other in no more time than it takes to make them")
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

  @Test("A model that led to itself before a change goes away, and what took its place goes away too")
  func changedAwayFromItself() throws {
    let filling = ModelContext(container)
    let beasts = try filling.fetch(FetchDescriptor<Beast>())
    for beast in beasts { beast.pack = beasts }
    try filling.save()
    func changedBeasts() throws -> [Beast?] {
      let context = ModelContext(container)
      let beasts = try context.fetch(FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)]))
      for beast in beasts { #expect(beast.pack.count == 6) }
      for beast in beasts { beast.pack = [] }
      return beasts
    }
    func check(_ order: [Int]) throws {
      weak var last: Beast?
      do {
        var kept = try changedBeasts()
        last = kept.last ?? nil
        for place in order {
          kept[place] = nil
          #expect(kept.compactMap { $0?.pack.count }.allSatisfy { $0 == 0 })
        }
      }
      #expect(last == nil)
    }
    try check([5, 4, 3, 2, 1, 0])
    try check([0, 1, 2, 3, 4, 5])
    try check([2, 5, 0, 4, 1, 3])
    let whole = try saved(Beast.self)
    #expect(whole.allSatisfy { $0.pack.count == 6 })
  }

  @Test("An actor's models stay readable and changeable when the actor has gone")
  func actorGone() async throws {
    let masters = try await handedOut()
    #expect(masters.models.map(\.beasts.count) == [2, 2, 2])
    masters.models[0].beasts[0].age = 9
    try masters.models[0].modelContext?.save()
    #expect(try saved(Beast.self).map(\.age).max() == 9)
  }

  private func handedOut() async throws -> HandedOut {
    try await Kennel(modelContainer: container).masters()
  }

  @Test("The main context's models are the main actor's, on whatever thread the container goes away")
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

/// Models on their way out of an actor, as code in Swift 5 mode hands them out. Nobody else has them.
private struct HandedOut: @unchecked Sendable {
  let models: [Master]
}

@ModelActor
private actor Kennel {
  func masters() throws -> HandedOut {
    HandedOut(models: try modelContext.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])))
  }
}

/// Lets go of a container on another thread.
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
