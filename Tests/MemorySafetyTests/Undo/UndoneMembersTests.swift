import SwiftData
import Testing

@testable import TestSupport

/// Random changes of the members of to-manys, several in a group. After any sequence of undo and redo the members equal those
/// at the end of each group, in order.
@Suite("Undoing changes of members")
struct UndoneMembersTests {
  /// The names of the members of both kinds of lists.
  private struct Lists: Equatable {
    let beasts: [String]
    let medals: [String]

    init(_ master: Master) {
      beasts = master.beasts.map(\.name)
      medals = master.medals.map(\.word)
    }
  }

  private struct Run {
    let context: ModelContext
    let manager = UndoManager()
    let master = Master("Ana")
    var dice: SeededGenerator
    var number = 0

    init(seed: UInt64) throws {
      dice = SeededGenerator(seed: seed)
      context = ModelContext(try makeContainer(Master.self, Beast.self, Medal.self))
      context.autosaveEnabled = false
      context.insert(master)
      for _ in 0..<Int.random(in: 0...6, using: &dice) {
        master.beasts.append(Beast(name()))
        master.medals.append(Medal(name()))
      }
      if Bool.random(using: &dice) { try context.save() }
      manager.groupsByEvent = false
      context.undoManager = manager
    }

    mutating func name() -> String {
      number += 1
      return "\(number)"
    }

    mutating func change() {
      let kind = Int.random(in: 0..<9, using: &dice)
      let place = Int.random(in: 0...master.beasts.count, using: &dice)
      switch kind {
      case 0: master.beasts.append(Beast(name()))
      case 1: Beast(name()).master = master
      case 2: if place < master.beasts.count { context.delete(master.beasts[place]) }
      case 3: if place < master.beasts.count { master.beasts[place].master = nil }
      case 4: change(&master.beasts, Beast(name()))
      default: change(&master.medals, Medal(name()))
      }
    }

    private mutating func change<Member>(_ members: inout [Member], _ new: Member) {
      let place = Int.random(in: 0...members.count, using: &dice)
      switch Int.random(in: 0..<7, using: &dice) {
      case 0: members.append(new)
      case 1: members.insert(new, at: place)
      case 2: members.removeFirst(min(1, members.count))
      case 3: members.removeLast(min(1, members.count))
      case 4: members.removeSubrange(place..<min(place + 2, members.count))
      case 5: if place < members.count { members.append(members.remove(at: place)) }
      default: members.shuffle(using: &dice)
      }
    }
  }

  @Test(
    "Undo and redo restore the members of each group, in order", arguments: 0..<UInt64(20 * TestOptions.programs))
  func members(program: UInt64) throws {
    let seed = TestOptions.seed &+ program
    var run = try Run(seed: seed)
    let isSaving = Bool.random(using: &run.dice)
    var states = [Lists(run.master)]
    for _ in 0..<8 {
      run.manager.beginUndoGrouping()
      // There is something to undo in each.
      run.master.count += 1
      for _ in 0..<Int.random(in: 1...4, using: &run.dice) { run.change() }
      run.manager.endUndoGrouping()
      states.append(Lists(run.master))
      if isSaving, Int.random(in: 0..<4, using: &run.dice) == 0 { try run.context.save() }
    }
    var place = states.count - 1
    // Undoes all groups first, and then undoes and redoes at random.
    for turn in 0..<40 {
      if place > 0, turn < 8 || Bool.random(using: &run.dice) {
        run.manager.undo()
        place -= 1
      } else if run.manager.canRedo {
        run.manager.redo()
        place += 1
      }
      try #require(Lists(run.master) == states[place], "seed \(seed), turn \(turn), group \(place)")
      for beast in run.master.beasts { #expect(beast.master === run.master) }
      for medal in run.master.medals { #expect(medal.masters.contains { $0 === run.master }) }
      if isSaving, Int.random(in: 0..<8, using: &run.dice) == 0 { try run.context.save() }
    }
    try run.context.save()
    let stored = try ModelContext(run.context.container).fetch(FetchDescriptor<Master>())
    #expect(stored.map(Lists.init) == [states[place]], "seed \(seed)")
  }
}
