import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Changes that the journal records for members of a list")
struct MemberChangesTests {
  private final class Stone {}

  /// A to-many at a save: the stored members, the members in memory, and the changes recorded in between.
  private struct Wall {
    let stored: [Stone]
    var members: [Stone]
    let changes = MemberChanges()

    init(_ count: Int) {
      stored = (0..<count).map { _ in Stone() }
      members = stored
    }

    mutating func link(_ stone: Stone) {
      changes.link(stone, isRead: true)
      members.append(stone)
    }

    mutating func unlink(_ stone: Stone) {
      changes.unlink(stone, from: members, isStored: true)
      members.removeAll { $0 === stone }
    }

    mutating func set(_ stones: [Stone]) {
      changes.set(members, to: stones)
      members = stones
    }

    /// The members to which a save gives positions at the front, and at the end.
    var positions: (first: [AnyObject], last: [AnyObject]) {
      changes.moved(among: members).map { (Array($0.first), Array($0.last)) } ?? ([], changes.linked)
    }

    var positioned: [AnyObject] { positions.first + positions.last }

    /// The stored members after a save.
    var written: [AnyObject] {
      let (first, last) = positions
      let gone = identities(changes.unlinked + first + last)
      return first + stored.filter { !gone.contains(ObjectIdentifier($0)) } + last
    }
  }

  @Test("A link records one member, however many members there are")
  func link() {
    var wall = Wall(1000)
    let stone = Stone()
    wall.link(stone)
    #expect(identities(wall.changes.linked) == [ObjectIdentifier(stone)])
    #expect(wall.changes.unlinked.isEmpty)
    #expect(wall.positioned.count == 1)
    wall.set(wall.members + [Stone(), Stone()])
    #expect(wall.changes.linked.count == 3)
    #expect(wall.positioned.count == 3)
  }

  @Test("Linking and unlinking a member leaves no record")
  func undone() {
    var wall = Wall(3)
    let stone = Stone()
    wall.link(stone)
    wall.unlink(stone)
    #expect(wall.changes.linked.isEmpty && wall.changes.unlinked.isEmpty)
    #expect(wall.positioned.isEmpty)
    wall.set(wall.members.reversed())
    wall.set(wall.stored)
    #expect(wall.positioned.isEmpty)
    wall.set([])
    wall.set(wall.stored)
    #expect(wall.changes.unlinked.isEmpty)
    #expect(wall.positioned.isEmpty)
  }

  @Test("A save writes the members in memory, after any changes", arguments: 0..<200)
  func anyChanges(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var wall = Wall(.random(in: 0...6, using: &dice))
    for _ in 0..<20 {
      switch Int.random(in: 0..<6, using: &dice) {
      case 0, 1: wall.link(Stone())
      case 2: if let stone = wall.members.randomElement(using: &dice) { wall.unlink(stone) }
      case 3:
        let gone = wall.stored.filter { stone in !wall.members.contains { $0 === stone } }
        if let stone = gone.randomElement(using: &dice) { wall.link(stone) }
      case 4: wall.set(wall.members.shuffled(using: &dice))
      default: wall.set(Array(wall.members.dropLast(.random(in: 0...2, using: &dice))) + [Stone()])
      }
      #expect(wall.written.elementsEqual(wall.members, by: ===), "seed \(seed)")
      let known = identities(wall.stored)
      let current = identities(wall.members)
      #expect(identities(wall.changes.linked) == current.subtracting(known), "seed \(seed)")
      #expect(identities(wall.changes.unlinked) == known.subtracting(current), "seed \(seed)")
    }
  }

  @Test("Changes recorded before the members were read are applied to the stored ones", arguments: 0..<100)
  func unread(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let stored = (0..<Int.random(in: 0...6, using: &dice)).map { _ in Stone() }
    var expected = stored
    let changes = MemberChanges()
    for _ in 0..<12 {
      let gone = stored.filter { stone in !expected.contains { $0 === stone } }
      if Bool.random(using: &dice), let stone = expected.randomElement(using: &dice) {
        changes.unlink(stone, from: nil, isStored: true)
        expected.removeAll { $0 === stone }
      } else {
        let stone = Bool.random(using: &dice) ? gone.randomElement(using: &dice) ?? Stone() : Stone()
        changes.link(stone, isRead: false)
        expected.append(stone)
      }
    }
    let members = changes.members(with: stored)
    #expect(members.elementsEqual(expected, by: ===), "seed \(seed)")
    let (known, current) = (identities(stored), identities(expected))
    #expect(identities(changes.linked) == current.subtracting(known), "seed \(seed)")
    #expect(identities(changes.unlinked) == known.subtracting(current), "seed \(seed)")
  }

  @Test("A merge keeps both pending changes and changes that another context saved", arguments: 0..<100)
  func merged(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var wall = Wall(5)
    if Bool.random(using: &dice) { wall.unlink(wall.members[1]) }
    if Bool.random(using: &dice) { wall.link(Stone()) }
    if Bool.random(using: &dice) { wall.set(wall.members.shuffled(using: &dice)) }
    let (added, lost) = (Stone(), wall.stored[3])
    let others = wall.stored.filter { $0 !== lost } + [added]
    let pending = identities(wall.changes.linked)
    let left = identities(wall.changes.unlinked)
    let members = wall.changes.merged(wall.members, with: others) { _ in false }
    let expected = identities(others).subtracting(left).union(pending)
    #expect(identities(members) == expected, "seed \(seed)")
    #expect(members.count == expected.count, "seed \(seed)")
    #expect(identities(wall.changes.linked) == pending, "seed \(seed)")
  }
}

private func identities(_ objects: [AnyObject]) -> Set<ObjectIdentifier> {
  Set(objects.map(ObjectIdentifier.init))
}
