import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Merging two changes of one list")
struct OrderedMergeTests {
  private final class Stone: Sendable {}

  private static let names = Array("abcdefghijklmnopqrstuvwxyz")
  private static let stones = names.map { _ in Stone() }

  /// Merges lists that are written as letters.
  private func merge(_ base: String, mine: String, theirs: String, isMineFirst: Bool) -> String {
    func list(_ text: String) -> [Stone] { text.compactMap { Self.names.firstIndex(of: $0) }.map { Self.stones[$0] } }
    let merged = OrderedMerge.merge(
      base: list(base), mine: list(mine), theirs: list(theirs), isMineFirst: isMineFirst,
      identity: ObjectIdentifier.init)
    return String(merged.compactMap { stone in Self.stones.firstIndex { $0 === stone } }.map { Self.names[$0] })
  }

  struct Example: Sendable {
    let base, mine, theirs, merged: String
    /// The result with the additions of `mine` first, if it differs.
    var mineFirst: String?
  }

  @Test(
    "A merge keeps the positions of added elements and the order of the list that moved elements",
    arguments: [
      // Both add at the end, at the front, or in the middle.
      Example(base: "ab", mine: "abx", theirs: "aby", merged: "abyx", mineFirst: "abxy"),
      Example(base: "ab", mine: "xab", theirs: "yab", merged: "yxab", mineFirst: "xyab"),
      Example(base: "ab", mine: "axb", theirs: "ayb", merged: "ayxb", mineFirst: "axyb"),
      Example(base: "ab", mine: "abx", theirs: "yab", merged: "yabx"),
      Example(base: "", mine: "x", theirs: "y", merged: "yx", mineFirst: "xy"),
      // One adds after an element that the other removes.
      Example(base: "abc", mine: "ac", theirs: "abxc", merged: "axc"),
      Example(base: "a", mine: "", theirs: "ax", merged: "x"),
      // One moves elements, or both do.
      Example(base: "abc", mine: "cab", theirs: "abcd", merged: "cabd"),
      Example(base: "abc", mine: "abcd", theirs: "cab", merged: "cabd"),
      Example(base: "abc", mine: "cba", theirs: "bac", merged: "cba"),
      // Both add the same element.
      Example(base: "a", mine: "ax", theirs: "xa", merged: "xa"),
    ])
  func examples(example: Example) {
    let (base, mine, theirs) = (example.base, example.mine, example.theirs)
    #expect(merge(base, mine: mine, theirs: theirs, isMineFirst: false) == example.merged)
    #expect(merge(base, mine: mine, theirs: theirs, isMineFirst: true) == example.mineFirst ?? example.merged)
  }

  @Test("A merge keeps all changes, and returns the changed list when only one list changed", arguments: 0..<300)
  func laws(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let base = String(Self.names[..<Int.random(in: 0...6, using: &dice)])
    func changed(adding additions: ArraySlice<Character>) -> String {
      var list = base.filter { _ in Int.random(in: 0..<4, using: &dice) > 0 }
      if Bool.random(using: &dice) { list = String(list.shuffled(using: &dice)) }
      for addition in additions where Bool.random(using: &dice) {
        list.insert(addition, at: list.indices.randomElement(using: &dice) ?? list.endIndex)
      }
      return list
    }
    // The lists have some additions in common.
    let (mine, theirs) = (changed(adding: Self.names[10..<14]), changed(adding: Self.names[12..<16]))
    for isMineFirst in [false, true] {
      #expect(merge(base, mine: mine, theirs: base, isMineFirst: isMineFirst) == mine)
      #expect(merge(base, mine: base, theirs: theirs, isMineFirst: isMineFirst) == theirs)
      #expect(merge(base, mine: mine, theirs: mine, isMineFirst: isMineFirst) == mine)
      let merged = merge(base, mine: mine, theirs: theirs, isMineFirst: isMineFirst)
      let removed = Set(base).subtracting(Set(mine).intersection(theirs))
      #expect(merged.sorted() == Set(mine + theirs).subtracting(removed).sorted(), "\(base): \(mine), \(theirs)")
      let rest = Set(base).subtracting(removed)
      let isMoved = mine.filter(rest.contains) != base.filter(rest.contains)
      #expect(merged.filter(rest.contains) == (isMoved ? mine : theirs).filter(rest.contains))
    }
  }
}
