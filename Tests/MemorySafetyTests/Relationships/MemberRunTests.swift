import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Runs of members inserted into and removed from a to-many")
struct MemberRunTests {
  /// Inserts and removes random runs of members, and the same of an array of names.
  private struct Run {
    var numbers: SeededGenerator
    var names: [String] = []
    private var made = 0

    init(_ seed: UInt64) {
      numbers = SeededGenerator(seed: seed)
    }

    mutating func change(_ members: inout [Beast]) {
      let place = Int.random(in: 0...names.count, using: &numbers)
      let isRemoving = Bool.random(using: &numbers) && !names.isEmpty
      let count = Int.random(in: 1...3, using: &numbers)
      if isRemoving {
        let places = min(place, names.count - 1)..<min(place + count, names.count)
        members.removeSubrange(places)
        names.removeSubrange(places)
      } else if count == 1 {
        made += 1
        members.insert(Beast("\(made)"), at: place)
        names.insert("\(made)", at: place)
      } else {
        let new = (0..<count).map { "\(made + 1 + $0)" }
        made += count
        members.insert(contentsOf: new.map { Beast($0) }, at: place)
        names.insert(contentsOf: new, at: place)
      }
    }
  }

  @Test("After each random change both sides, the store and a rollback agree", arguments: 0..<20)
  func random(seed: Int) throws {
    let container = try makeContainer(Master.self, Beast.self, Medal.self)
    let context = ModelContext(container)
    let master = Master("m")
    var run = Run(UInt64(seed))
    if seed.isMultiple(of: 2) { context.insert(master) }
    for step in 0..<60 {
      let before = master.beasts
      run.change(&master.beasts)
      #expect(master.beasts.map(\.name) == run.names)
      #expect(master.beasts.allSatisfy { $0.master === master })
      let gone = before.filter { beast in !master.beasts.contains { $0 === beast } }
      #expect(gone.allSatisfy { $0.master == nil })
      if step == 20 { context.insert(master) }
      guard step > 20, Int.random(in: 0..<4, using: &run.numbers) == 0 else { continue }
      for beast in gone { context.delete(beast) }
      try context.save()
      #expect(try ModelContext(container).only(Master.self).beasts.map(\.name) == run.names)
      let saved = run.names
      run.change(&master.beasts)
      run.change(&master.beasts)
      context.rollback()
      run.names = saved
      #expect(master.beasts.map(\.name) == saved)
      #expect(!context.hasChanges)
    }
  }

  @Test("A to-many whose members are moved or repeated is set as a whole")
  func movedMembers() throws {
    let container = try makeContainer(Master.self, Beast.self, Medal.self)
    let context = ModelContext(container)
    let (first, second) = (Master("1"), Master("2"))
    for master in [first, second] { context.insert(master) }
    first.beasts = ["a", "b", "c"].map { Beast($0) }
    second.beasts = ["d"].map { Beast($0) }
    try context.save()
    second.beasts.insert(first.beasts[1], at: 0)
    #expect(first.beasts.map(\.name) == ["a", "c"])
    #expect(second.beasts.map(\.name) == ["b", "d"])
    second.beasts.insert(second.beasts[1], at: 0)
    #expect(second.beasts.map(\.name) == ["d", "b"])
    try context.save()
    let saved = try ModelContext(container).fetch(FetchDescriptor<Master>(sortBy: [SortDescriptor(\.name)]))
    #expect(saved.map { $0.beasts.map(\.name) } == [["a", "c"], ["d", "b"]])
  }
}
