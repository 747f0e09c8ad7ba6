import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("A change of a one-way to-many after the context is gone")
struct ChangedListOfHeirsTests {
  enum Change: CaseIterable { case none, attribute, empty, drop, reverse }

  /// `MemberChanges.set` holds the members of before, which are heirs, and nobody ends their being that.
  @Test("Everything goes when nobody holds the models any more", arguments: Change.allCases)
  func goes(_ change: Change) async throws {
    let container = try makeRelations()
    do {
      let context = ModelContext(container)
      let playlist = Playlist("p")
      context.insert(playlist)
      playlist.tracks = [Track("a"), Track("b")]
      try context.save()
    }
    weak var graph: ObjectGraph?
    weak var track: Track?
    func open() throws -> (Playlist, [Track]) {
      let context = ModelContext(container)
      graph = context.graph
      return (try context.only(Playlist.self), try context.all(Track.self, by: \.title))
    }
    do {
      let (playlist, tracks) = try open()
      track = tracks[0]
      switch change {
      case .none: #expect(playlist.tracks.count == 2)
      case .attribute: playlist.name = "q"
      case .empty: playlist.tracks = []
      case .drop: playlist.tracks = [tracks[1]]
      case .reverse: playlist.tracks = [tracks[1], tracks[0]]
      }
      #expect(playlist.tracks.count == (change == .empty ? 0 : change == .drop ? 1 : 2))
    }
    #expect(await isGone(track))
    #expect(await isGone(graph))
  }

  @Test("The same for a two-way to-many", arguments: [true, false])
  func twoWay(isEmptied: Bool) async throws {
    let container = try makeContainer(Master.self, Beast.self, Medal.self)
    do {
      let context = ModelContext(container)
      let master = Master("Ann")
      context.insert(master)
      master.beasts = [Beast("a"), Beast("b")]
      try context.save()
    }
    weak var graph: ObjectGraph?
    func open() throws -> (Master, [Beast]) {
      let context = ModelContext(container)
      graph = context.graph
      return (try context.only(Master.self), try context.all(Beast.self, by: \.name))
    }
    do {
      let (master, beasts) = try open()
      master.beasts = isEmptied ? [] : [beasts[1]]
      #expect(master.beasts.count == (isEmptied ? 0 : 1))
    }
    #expect(await isGone(graph))
  }

  @Test("A change of a one-way to-many made without a context is saved by a later one")
  func saved() throws {
    let container = try makeRelations()
    do {
      let context = ModelContext(container)
      let playlist = Playlist("p")
      context.insert(playlist)
      playlist.tracks = [Track("a"), Track("b")]
      try context.save()
    }
    func open() throws -> (Playlist, [Track]) {
      let context = ModelContext(container)
      return (try context.only(Playlist.self), try context.all(Track.self, by: \.title))
    }
    let (playlist, tracks) = try open()
    playlist.tracks = [tracks[1]]
    try #require(playlist.modelContext).save()
    #expect(try ModelContext(container).only(Playlist.self).tracks.map(\.title) == ["b"])
    withExtendedLifetime(tracks) {}
  }
}
