import Foundation
import Observation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Loaded models that reference a reinserted model")
struct LinkedAgainTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let playlist = Playlist("p")
  private let track = Track("t")

  init() throws {
    container = try makeRelations()
    context = ModelContext(container)
    context.insert(playlist)
    playlist.favourite = track
    try context.save()
  }

  private func deleteAndInsert() throws {
    context.delete(track)
    try context.save()
    context.insert(track)
    try context.save()
  }

  @Test("A change notification merges attributes and relationships before observers run", arguments: [true, false])
  func observed(isInserted: Bool) throws {
    let other = ModelContext(container)
    let theirs = try other.only(Playlist.self)
    let counter = Counter()
    withObservationTracking {
      _ = theirs.name
    } onChange: {
      counter.add()
    }
    if isInserted { try deleteAndInsert() }
    playlist.name = "q"
    try context.save()
    other.processPendingChanges()
    #expect(theirs.name == "q")
    #expect(counter.count == 1)
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  @Test("A loaded model can be reinserted after another context has deleted it")
  func insertedAgain() throws {
    let other = ModelContext(container)
    let theirs = try other.only(Playlist.self)
    #expect(theirs.name == "p")
    try deleteAndInsert()
    other.processPendingChanges()
    context.delete(playlist)
    try context.save()
    other.processPendingChanges()
    #expect(theirs.modelContext == nil)
    #expect(theirs.name == "p")
    other.insert(theirs)
    #expect(throws: Never.self) { try other.save() }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Playlist>()).map(\.name) == ["p"])
  }

  @Test("A model can be reinserted after more changes of its targets than the inbox holds")
  func insertedAgainBeyondCount() throws {
    let other = ModelContext(container)
    let theirs = try other.only(Playlist.self)
    #expect(theirs.name == "p")
    let tracks = (0..<5000).map { Track("\($0)") }
    for track in tracks { context.insert(track) }
    try context.save()
    for track in tracks { track.title += "x" }
    try context.save()
    other.processPendingChanges()
    context.delete(playlist)
    try context.save()
    other.processPendingChanges()
    #expect(theirs.modelContext == nil)
    other.insert(theirs)
    #expect(throws: Never.self) { try other.save() }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Playlist>()).map(\.name) == ["p"])
  }
}
