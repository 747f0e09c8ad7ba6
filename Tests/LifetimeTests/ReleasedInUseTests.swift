import Dispatch
import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// A model whose deinit waits for a gate.
@Model final class Ghost {
  var number: Int
  @Relationship(deleteRule: .nullify, inverse: \Ghost.haunted) var haunting: [Ghost] = []
  var haunted: Ghost?
  @Transient var gate: Gate?

  init(_ number: Int) {
    self.number = number
  }

  deinit {
    gate?.pass()
  }

  final class Gate: Sendable {
    private let isReached = DispatchSemaphore(value: 0)
    private let isOpen = DispatchSemaphore(value: 0)

    func pass() {
      isReached.signal()
      isOpen.wait()
    }

    func waitUntilReached() { isReached.wait() }

    func open() { isOpen.signal() }
  }
}

/// A model that changes itself in its deinit.
@Model final class Doorway {
  var number: Int
  var isOpen = true

  init(_ number: Int) {
    self.number = number
  }

  deinit {
    isOpen = false
  }
}

@Suite("Models that are released on another thread while their context is in use", .serialized)
struct ReleasedInUseTests {
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Ghost.self)
    let context = ModelContext(container)
    for number in 0..<6 { context.insert(Ghost(number)) }
    try context.save()
  }

  private static func fetch(_ context: ModelContext) throws -> [Ghost] {
    try context.fetch(FetchDescriptor<Ghost>(sortBy: [SortDescriptor(\.number)]))
  }

  @Test("All models of a fetch can be released on another thread during the next fetch", arguments: [false, true])
  func fetching(isChanging: Bool) async throws {
    let context = ModelContext(container)
    for round in 0..<500 {
      let ghosts = try Self.fetch(context)
      #expect(ghosts.map(\.number) == [0, 1, 2, 3, 4, 5])
      if isChanging {
        ghosts[round % 6].haunted = ghosts[(round + 1) % 6]
        if round.isMultiple(of: 3) { try context.save() }
        if round % 7 == 1 { context.rollback() }
      }
      let held = Held(ghosts)
      DispatchQueue.global().async { held.drop() }
    }
    #expect(try Self.fetch(context).map(\.number) == [0, 1, 2, 3, 4, 5])
    expectSound(context)
  }

  @Test("A context can be released while another thread releases its models", arguments: [false, true])
  func closing(isChanging: Bool) async throws {
    for round in 0..<300 {
      let held = Held<[Ghost]>(nil)
      weak var graph: ObjectGraph?
      do {
        let context = ModelContext(container)
        let ghosts = try Self.fetch(context)
        if isChanging { ghosts[round % 6].number += 0 }
        graph = context.graph
        held.put(ghosts)
        DispatchQueue.global().async { held.drop() }
      }
      await held.dropped()
      #expect(await isGone(graph))
    }
  }

  @Test("A fetch makes a new object of a row while its earlier object is being released")
  func successor() async throws {
    let context = ModelContext(container)
    let gate = Ghost.Gate()
    let held = Held<Ghost>(nil)
    do {
      let ghost = try Self.fetch(context)[2]
      ghost.gate = gate
      held.put(ghost)
    }
    DispatchQueue.global().async { held.drop() }
    gate.waitUntilReached()
    let identifier = try Self.fetch(context)[2].persistentModelID
    #expect(context.registeredModel(for: identifier) as Ghost? == nil)
    var successor = try Self.fetch(context)[2]
    #expect(successor.number == 2)
    #expect(context.model(for: identifier) === successor)
    expectSound(context)
    successor.number = 20
    gate.open()
    await held.dropped()
    #expect(context.registeredModel(for: identifier) as Ghost? === successor)
    expectSound(context)
    try context.save()
    // Neither object is registered any more.
    successor = try Self.fetch(context)[0]
    #expect(context.registeredModel(for: identifier) as Ghost? == nil)
    expectSound(context)
  }

  @Test("A change that a model makes in its own deinit is not recorded")
  func changeInDeinit() throws {
    let container = try makeContainer(Doorway.self)
    let context = ModelContext(container)
    for number in 0..<10 { context.insert(Doorway(number)) }
    try context.save()
    for _ in 0..<3 {
      var doorways = try context.fetch(FetchDescriptor<Doorway>())
      #expect(doorways.map(\.isOpen) == Array(repeating: true, count: 10))
      doorways.removeLast(5)
      #expect(!context.hasChanges)
      doorways = []
      #expect(!context.hasChanges)
      expectSound(context)
    }
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Doorway>()).map(\.isOpen).contains(false) == false)
  }

  @Test("Several objects of one row can be released concurrently, the last one first")
  func displaced() async throws {
    let context = ModelContext(container)
    let gates = (0..<3).map { _ in Ghost.Gate() }
    let holders = gates.map { _ in Held<Ghost>(nil) }
    for (gate, held) in zip(gates, holders) {
      do {
        let ghost = try Self.fetch(context)[4]
        ghost.gate = gate
        held.put(ghost)
      }
      Thread.detachNewThread { held.drop() }
      gate.waitUntilReached()
    }
    expectSound(context)
    for (gate, held) in zip(gates, holders).reversed() {
      gate.open()
      await held.dropped()
      let ghost = try Self.fetch(context)[4]
      #expect(ghost.number == 4)
      #expect(context.model(for: ghost.persistentModelID) === ghost)
      expectSound(context)
    }
  }

  @Test("A context released while a model is being released ends after it")
  func endOfTheGraph() async throws {
    weak var graph: ObjectGraph?
    let gate = Ghost.Gate()
    let held = Held<Ghost>(nil)
    do {
      let context = ModelContext(container)
      graph = context.graph
      let ghost = try Self.fetch(context)[1]
      ghost.gate = gate
      held.put(ghost)
    }
    DispatchQueue.global().async { held.drop() }
    gate.waitUntilReached()
    #expect((graph != nil) as Bool)
    gate.open()
    await held.dropped()
    #expect(await isGone(graph))
  }

  @Test("A model can be released during a call of its context")
  func withinCall() throws {
    let context = ModelContext(container)
    let others = Held<[Ghost]>(try Self.fetch(context))
    var numbers: [Int] = []
    try context.enumerate(FetchDescriptor<Ghost>(sortBy: [SortDescriptor(\.number)])) { ghost in
      numbers.append(ghost.number)
      if ghost.number == 3 { others.dropOnThread() }
    }
    #expect(numbers == [0, 1, 2, 3, 4, 5])
    expectSound(context)
  }

  @Test("A context can be released on another thread during a call of a model")
  func contextWithinCall() async throws {
    weak var graph: ObjectGraph?
    do {
      let held = Held<ModelContext>(ModelContext(container))
      let ghosts = try Self.fetch(try #require(held.value))
      graph = held.value?.graph
      ghosts[0].haunting = [ghosts[1], ghosts[2]]
      try held.value?.save()
      held.value?.relationshipLoadHandler = { _ in held.dropOnThread() }
      let other = ModelContext(container)
      let others = try Self.fetch(other)
      others[3].haunting = [others[4], others[5]]
      try other.save()
      // Members in another order are read again.
      others[3].haunting.reverse()
      try other.save()
      held.value?.processPendingChanges()
      #expect(ghosts[3].haunting.map(\.number) == [5, 4])
      #expect(held.value == nil)
      #expect(ghosts[0].haunting.map(\.number) == [1, 2])
      #expect(ghosts[4].haunted === ghosts[3])
    }
    #expect(await isGone(graph))
  }

  @Test("Models without changes can be released on another thread after their context", arguments: [false, true])
  func withoutContext(isChangingBoth: Bool) async throws {
    for round in 0..<60 {
      weak var graph: ObjectGraph?
      do {
        let first = Held<Ghost>(nil)
        let second: Ghost
        do {
          let ghosts = try Self.fetch(ModelContext(container))
          second = ghosts[1]
          graph = second._$withState { $0.graph }
          second.number = 100 + round
          second.haunted = ghosts[2]
          if isChangingBoth { ghosts[0].number = -round }
          first.put(ghosts[0])
        }
        DispatchQueue.global().async { first.drop() }
        await first.dropped()
        #expect(second.number == 100 + round)
        #expect(second.haunted?.number == 2)
        second.modelContext?.rollback()
        #expect(second.number == 1)
      }
      #expect(await isGone(graph))
    }
  }

  @Test("A context can be released on another thread while its models are read and changed", arguments: 0..<3)
  func contextWhileInUse(use: Int) async throws {
    let saving = ModelContext(container)
    let saved = try Self.fetch(saving)
    saved[0].haunting = [saved[1], saved[2]]
    try saving.save()
    for round in 0..<20 {
      weak var graph: ObjectGraph?
      do {
        let held = Held(ModelContext(container))
        let ghosts = try Self.fetch(try #require(held.value))
        graph = held.value?.graph
        // The models retain each other.
        #expect(ghosts[0].haunting.map(\.number) == [1, 2])
        #expect(ghosts[2].haunted === ghosts[0])
        if use == 2 { ghosts[5].number = 50 + round }
        DispatchQueue.global().async { held.drop() }
        for step in 0..<50 {
          if use == 1 { ghosts[3 + step % 2].haunted = step % 3 == 0 ? nil : ghosts[5] }
          #expect(ghosts[0].haunting.map(\.number) == [1, 2])
          #expect(ghosts[1].haunted?.number == 0)
        }
        await held.dropped()
        // The graph is closed by now at the latest.
        #expect(ghosts[0].modelContext != nil)
        #expect(ghosts[0].haunting.map(\.number) == [1, 2])
        #expect(ghosts[5].number == 5)
      }
      #expect(await isGone(graph))
    }
  }

  /// Releases a context on another thread before its models.
  ///
  /// - Returns: All that is retained of the models, an array that the relationship shares, and a trace of the graph.
  private func makeDetachedMembers() throws -> (members: [Ghost], graph: Trace) {
    let held = Held(ModelContext(container))
    let ghosts = try Self.fetch(try #require(held.value))
    let graph = Trace("graph", try #require(held.value).graph)
    let members = ghosts[0].haunting
    #expect(members[0].haunted === ghosts[0])
    held.dropOnThread()
    return (members, graph)
  }

  @Test("The graph of a context that was released on another thread ends with its last model")
  func detachedMembers() async throws {
    let saving = ModelContext(container)
    let saved = try Self.fetch(saving)
    saved[0].haunting = [saved[1], saved[2]]
    try saving.save()
    var members: [Ghost]
    let graph: Trace
    (members, graph) = try makeDetachedMembers()
    // These graphs get no further call, and close after a while.
    for _ in 0..<3 {
      let other = try makeDetachedMembers().graph
      let isOtherGone = await comesTrue { !other.isThere }
      #expect(isOtherGone)
    }
    #expect(graph.isThere)
    #expect(members[1].haunted?.haunting.map(\.number) == [1, 2])
    members = []
    let isGone = await comesTrue { !graph.isThere }
    #expect(isGone)
  }
}
