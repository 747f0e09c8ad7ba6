import Foundation
import SwiftData

@testable import TestSupport

// Songs on albums and in playlists, and smart playlists.

/// A model with a title to sort and search by.
protocol Titled: PersistentModel {
  var title: String { get }
  var addedAt: Date { get }
}

enum MusicApp {
  enum Genre: String, Codable, CaseIterable, Comparable, Sendable {
    case classical, jazz, rock

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  @Model
  final class Artist {
    @Attribute(.unique) var name: String
    var sortName: String
    @Relationship(deleteRule: .cascade, inverse: \Album.artist) var albums: [Album] = []
    var appearances: [Song] = []

    init(_ name: String, sortName: String? = nil) {
      self.name = name
      self.sortName = sortName ?? name
    }
  }

  @Model
  final class Album: Titled {
    var title: String
    var addedAt: Date
    var year: Int?
    var genre: Genre?
    var artist: Artist?
    @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Song] = []

    init(_ title: String, by artist: Artist?, year: Int? = nil, genre: Genre? = nil, addedAt: Date) {
      self.title = title
      self.artist = artist
      self.year = year
      self.genre = genre
      self.addedAt = addedAt
    }
  }

  @Model
  final class Song: Titled {
    #Index<Song>([\.title], [\.playCount])

    var title: String
    var addedAt: Date
    var disc: Int = 1
    var track: Int
    var seconds: Double
    var playCount = 0
    var lastPlayed: Date?
    var rating: Int?
    var album: Album?
    @Relationship(inverse: \Artist.appearances) var guests: [Artist] = []
    @Relationship(deleteRule: .cascade, inverse: \Entry.song) var entries: [Entry] = []
    @Transient var isPlaying = false

    init(_ title: String, track: Int, seconds: Double, plays: Int = 0, rating: Int? = nil, addedAt: Date) {
      self.title = title
      self.track = track
      self.seconds = seconds
      self.rating = rating
      self.addedAt = addedAt
      playCount = plays
    }
  }

  @Model
  final class Playlist {
    var name: String
    var rules: [Rule] = []
    var matchesAll = true
    @Relationship(deleteRule: .cascade, inverse: \Entry.playlist) var entries: [Entry] = []

    init(_ name: String, rules: [Rule] = [], matchesAll: Bool = true) {
      self.name = name
      self.rules = rules
      self.matchesAll = matchesAll
    }
  }

  @Model
  final class Entry {
    var position: Int
    var song: Song?
    var playlist: Playlist?

    init(_ song: Song, in playlist: Playlist, at position: Int) {
      self.song = song
      self.playlist = playlist
      self.position = position
    }
  }

  /// A condition of a smart playlist.
  enum Rule: Codable, Hashable, Sendable {
    case ratedAtLeast(Int)
    case neverPlayed
    case by(String)
    case longerThan(seconds: Double)
    case genre(Genre)

    var predicate: Predicate<Song> {
      switch self {
      case .ratedAtLeast(let stars): return #Predicate { ($0.rating ?? 0) >= stars }
      case .neverPlayed: return #Predicate { $0.playCount == 0 && $0.lastPlayed == nil }
      case .by(let name): return #Predicate { $0.album?.artist?.name == name }
      case .longerThan(let seconds): return #Predicate { $0.seconds > seconds }
      case .genre(let genre): return #Predicate { $0.album?.genre == genre }
      }
    }
  }
}

extension MusicApp.Playlist {
  var predicate: Predicate<MusicApp.Song> {
    matchesAll ? Predicate(all: rules.map(\.predicate)) : Predicate(any: rules.map(\.predicate))
  }
}

extension Titled {
  static func latest(_ limit: Int) -> FetchDescriptor<Self> {
    var descriptor = FetchDescriptor<Self>(sortBy: [
      SortDescriptor(\.addedAt, order: .reverse), SortDescriptor(\.title),
    ])
    descriptor.fetchLimit = limit
    return descriptor
  }

  static func titled(_ text: String) -> Predicate<Self> {
    #Predicate<Self> { $0.title.localizedStandardContains(text) }
  }
}
