import Dispatch
import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Containers, contexts and models whose last reference is released on another thread", .serialized)
struct ReleasedElsewhereTests {
  private static func makeKennel() throws -> ModelContainer {
    let container = try makeContainer(Master.self, Beast.self, Medal.self)
    let context = ModelContext(container)
    for name in ["Ann", "Bob"] {
      let master = Master(name)
      master.beasts = [Beast("\(name)'s cat"), Beast("\(name)'s dog")]
      master.medals = [Medal("brave")]
      context.insert(master)
    }
    try context.save()
    return container
  }

  @MainActor
  private static func mainMasters(_ held: Held<ModelContainer>) throws -> [Master] {
    let context = try #require(held.value).mainContext
    return try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
  }

  @Test("A container and its main context can be released while the main actor uses the models", arguments: 0..<4)
  @MainActor
  func container(use: Int) async throws {
    for _ in 0..<40 {
      weak var container: ModelContainer?
      weak var graph: ObjectGraph?
      do {
        let held = Held(try Self.makeKennel())
        let masters = try Self.mainMasters(held)
        container = held.value
        graph = masters[0]._$withState { $0.graph }
        // The test does not retain the context: it ends with the container.
        DispatchQueue.global().async { held.drop() }
        for round in 1...25 {
          switch use {
          case 0:
            #expect(masters[0].beasts.map(\.name) == ["Ann's cat", "Ann's dog"])
            #expect(masters[1].beasts[1].master === masters[1])
          case 1:
            masters[0].count = round
            masters[1].beasts[0].age = round
          case 2:
            masters[0].count = round
            try masters[0].modelContext?.save()
          default:
            masters[0].beasts.append(Beast("new"))
            #expect(masters[0].modelContext?.insertedModelsArray.count == 1)
            masters[0].modelContext?.rollback()
          }
        }
        await held.dropped()
        #expect(masters[0].beasts.map(\.name) == ["Ann's cat", "Ann's dog"])
        let found = try #require(masters[1].modelContext)
        #expect(try found.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)])).first === masters[0])
        try found.save()
        if use == 1 || use == 2 {
          let saved = try ModelContext(found.container).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
          #expect(saved[0].count == 25)
        }
      }
      await MainQueue.turn()
      #expect(await isGone(container))
      #expect(await isGone(graph))
    }
  }

  @Test("Unsaved changes in the main context are discarded with the container, unless autosave is on")
  @MainActor
  func unsavedChanges() async throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(
        for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(url: folder.file()))
    }
    do {
      let filling = ModelContext(try open())
      for name in ["Ann", "Bob"] { filling.insert(Master(name)) }
      try filling.save()
    }
    for round in 1...20 {
      let held = Held(try open())
      let savesByItself = round.isMultiple(of: 2)
      try #require(held.value).mainContext.autosaveEnabled = savesByItself
      var masters = try Self.mainMasters(held)
      masters[0].count = round
      masters[1].count = -round
      masters[1].beasts.append(Beast("new"))
      DispatchQueue.global().async { held.drop() }
      await held.dropped()
      await MainQueue.turn()
      await MainQueue.turn()
      let last = (round / 2) * 2
      #expect(masters.map(\.count) == [last, -last])
      masters = []
      let saved = try ModelContext(open()).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      #expect(saved[0].count == last)
      #expect(saved[1].count == -last)
      #expect(saved[1].beasts.count == round / 2)
    }
  }

  @Test("An autosave after the container and its main context were released saves all links", arguments: 0..<3)
  @MainActor
  func lastAutosave(use: Int) async throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(
        for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(url: folder.file()))
    }
    do {
      let filling = ModelContext(try open())
      for name in ["Ann", "Bob"] {
        let master = Master(name)
        filling.insert(master)
        master.beasts = [Beast("\(name)'s cat")]
      }
      try filling.save()
    }
    func change() throws -> Master {
      let context = try open().mainContext
      if use == 0 {
        let master = Master("Cid")
        master.beasts = [Beast("new")]
        context.insert(master)
        return master
      }
      let masters = try context.fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
      masters[0].beasts[0].master = masters[1]
      if use == 2 {
        let stray = Beast("stray")
        context.insert(stray)
        stray.friend = masters[0].beasts.first
        stray.master = masters[1]
      }
      return masters[1]
    }
    let held = try change()
    await MainQueue.turn()
    await MainQueue.turn()
    #expect(held.modelContext?.hasChanges == false)
    let stored = try ModelContext(open()).fetch(FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)]))
    let expected = [["Ann", "Bob", "Cid"], ["Bob", "Bob"], ["Bob", "Bob", "Bob"]]
    #expect(stored.map { $0.master?.name } == expected[use])
    #expect(held.beasts.count == [1, 2, 3][use])
  }

  @Test("A context can be released on another thread before its models")
  func context() async throws {
    for round in 0..<40 {
      let container = try Self.makeKennel()
      weak var graph: ObjectGraph?
      do {
        var context: ModelContext? = ModelContext(container)
        var masters = try #require(context).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
        graph = context?.graph
        if round % 3 > 0 { masters[0].count = round }
        if round % 3 > 1 { masters[1].beasts.append(Beast("new")) }
        let held = Held(context)
        context = nil
        await held.dropElsewhere()
        #expect(masters[0].beasts.map(\.name) == ["Ann's cat", "Ann's dog"])
        #expect(masters[1].beasts.count == 2)
        #expect(masters[0].count == 0)
        if round.isMultiple(of: 2) { try masters[1].modelContext?.save() }
        masters.removeLast()
        #expect(masters[0].medals.map(\.word) == ["brave"])
      }
      #expect(await isGone(graph))
    }
  }

  @Test("Models can be released on another thread, along with their graph and container", arguments: [true, false])
  func models(isChanged: Bool) async throws {
    for _ in 0..<40 {
      weak var container: ModelContainer?
      weak var graph: ObjectGraph?
      let held = Held<[Master]>(nil)
      do {
        let made = try Self.makeKennel()
        container = made
        let masters = try ModelContext(made).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
        graph = masters[0]._$withState { $0.graph }
        if isChanged {
          masters[0].count = 1
          masters[1].partner = masters[0]
          masters[1].beasts[0].friend = masters[0].beasts[0]
        }
        held.put(masters)
      }
      #expect(graph != nil)
      await held.dropElsewhere()
      #expect(await isGone(graph))
      #expect(await isGone(container))
    }
  }

  @Test("Models of the main context can be released on another thread while the main actor waits for it")
  @MainActor
  func mainModels() async throws {
    for round in 0..<40 {
      weak var container: ModelContainer?
      weak var graph: ObjectGraph?
      do {
        let made = Held(try Self.makeKennel())
        container = made.value
        let held = Held(try Self.mainMasters(made))
        graph = held.value?.first?._$withState { $0.graph }
        if round.isMultiple(of: 2) { held.value?.first?.count = round }
        if round.isMultiple(of: 3) { made.drop() }
        held.dropOnThread()
        made.dropOnThread()
      }
      await MainQueue.turn()
      #expect(await isGone(graph))
      #expect(await isGone(container))
    }
  }

  @Test("An executor with the main context can be released on another thread")
  @MainActor
  func executor() async throws {
    for _ in 0..<20 {
      weak var graph: ObjectGraph?
      do {
        let made = Held(try Self.makeKennel())
        let masters = try Self.mainMasters(made)
        let context = try #require(made.value).mainContext
        graph = context.graph
        let executor = Held(DefaultSerialModelExecutor(modelContext: context))
        made.drop()
        DispatchQueue.global().async { executor.drop() }
        for round in 0..<10 {
          masters[0].count = round
          #expect(masters[0].beasts.count == 2)
        }
        await executor.dropped()
        try masters[0].modelContext?.save()
      }
      await MainQueue.turn()
      #expect(await isGone(graph))
    }
  }
}
