import SwiftData
import Testing

@testable import TestSupport

@Suite("Two contexts that order and change the same members")
struct SharedOrderTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    let context = ModelContext(container)
    let master = Master("Ann")
    context.insert(master)
    master.beasts = ["a", "b", "c", "d"].map(Beast.init)
    master.medals = ["a", "b", "c", "d"].map(Medal.init)
    try context.save()
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Master.self, Beast.self, Medal.self, configurations: ModelConfiguration(url: folder.file()))
  }

  private func stored() throws -> [String] {
    try words(of: ModelContext(container).only(Master.self))
  }

  private func words(of master: Master) -> [String] {
    [master.beasts.map(\.name).joined(), master.medals.map(\.word).joined()]
  }

  @Test("Adding and removing members keeps the order that another context saves", arguments: [false, true])
  func addition(isSavedFirst: Bool) throws {
    let (adding, ordering) = (ModelContext(container), ModelContext(container))
    let (mine, theirs) = (try adding.only(Master.self), try ordering.only(Master.self))
    #expect(words(of: mine) == ["abcd", "abcd"])
    mine.beasts.append(Beast("e"))
    mine.beasts.removeAll { $0.name == "b" }
    mine.medals.append(Medal("e"))
    mine.medals.removeAll { $0.word == "b" }
    if isSavedFirst { try adding.save() }
    theirs.beasts.reverse()
    theirs.medals.reverse()
    try ordering.save()
    if isSavedFirst {
      adding.processPendingChanges()
      #expect(words(of: mine) == ["edca", "edca"])
    } else {
      try adding.save()
      #expect(words(of: mine) == ["dcae", "dcae"])
    }
    #expect(try stored() == words(of: mine))
  }

  @Test("When two contexts order the same members, the later save's order counts, with the members of both")
  func bothOrders() throws {
    let (first, last) = (ModelContext(container), ModelContext(container))
    let (mine, theirs) = (try last.only(Master.self), try first.only(Master.self))
    mine.beasts = [mine.beasts[2], mine.beasts[0], mine.beasts[1], mine.beasts[3]]
    mine.medals = [mine.medals[2], mine.medals[0], mine.medals[1], mine.medals[3]]
    theirs.beasts.reverse()
    theirs.beasts.append(Beast("e"))
    theirs.medals.reverse()
    theirs.medals.append(Medal("e"))
    try first.save()
    try last.save()
    #expect(words(of: mine) == ["cabde", "cabde"])
    #expect(try stored() == ["cabde", "cabde"])
  }

  @Test("Saving an order does not restore members that another container removed")
  func removedElsewhere() throws {
    let context = ModelContext(container)
    let mine = try context.only(Master.self)
    #expect(words(of: mine) == ["abcd", "abcd"])
    mine.beasts.reverse()
    mine.medals.reverse()
    // This context gets no change notification of the other container's save.
    let other = ModelContext(try Self.open(folder))
    let theirs = try other.only(Master.self)
    theirs.beasts.removeAll { $0.name == "b" }
    theirs.medals.removeAll { $0.word == "b" }
    try other.save()
    try context.save()
    #expect(try stored() == ["dca", "dca"])
  }
}
