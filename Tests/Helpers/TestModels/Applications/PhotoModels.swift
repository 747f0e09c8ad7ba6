import Foundation
import SwiftData

@testable import TestSupport

// Photos and videos in albums, with people on them, and smart albums.

enum PhotoLibrary {
  struct Coordinate: Codable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
  }

  struct Exposure: Codable, Hashable, Sendable {
    var camera: String
    var iso: Int?
    var aperture: Double?
  }

  enum Origin: String, Codable, CaseIterable, Sendable {
    case camera, scan, screenshot
  }

  @Model
  class Asset {
    #Unique<Asset>([\.fileName])
    #Index<Asset>([\.takenAt], [\.width, \.height])

    var fileName: String
    var takenAt: Date?
    var importedAt: Date
    var width: Int
    var height: Int
    var rating: Int = 0
    var isFavorite = false
    var origin: Origin
    var place: Coordinate?
    var exposure: Exposure?
    var keywords: [String] = []
    var checksum: Data
    @Attribute(.externalStorage) var original: Data?
    @Relationship(inverse: \Album.assets) var albums: [Album] = []
    @Relationship(inverse: \Face.assets) var people: [Face] = []

    init(_ fileName: String, width: Int, height: Int, takenAt: Date?, importedAt: Date, origin: Origin = .camera) {
      self.fileName = fileName
      self.width = width
      self.height = height
      self.takenAt = takenAt
      self.importedAt = importedAt
      self.origin = origin
      checksum = Data(fileName.utf8.prefix(2))
    }
  }

  @Model
  final class Video: Asset {
    var seconds: Double
    var hasSound: Bool = true

    init(_ fileName: String, seconds: Double, takenAt: Date?, importedAt: Date) {
      self.seconds = seconds
      super.init(fileName, width: 1920, height: 1080, takenAt: takenAt, importedAt: importedAt)
    }
  }

  @Model
  final class Album {
    var title: String
    var parent: Album?
    @Relationship(deleteRule: .cascade, inverse: \Album.parent) var children: [Album] = []
    @Relationship(deleteRule: .nullify) var assets: [Asset] = []
    @Relationship(inverse: nil) var cover: Asset?

    init(_ title: String, parent: Album? = nil) {
      self.title = title
      self.parent = parent
    }
  }

  @Model
  final class Face {
    @Attribute(.unique) var name: String
    var assets: [Asset] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

extension PhotoLibrary.Asset {
  static func showing(allOf names: [String]) -> Predicate<PhotoLibrary.Asset> {
    Predicate(
      all: names.map { name in
        #Predicate<PhotoLibrary.Asset> { asset in asset.people.contains { $0.name == name } }
      })
  }

  static func taken(in range: Range<Date>) -> Predicate<PhotoLibrary.Asset> {
    #Predicate { asset in
      if let takenAt = asset.takenAt { range.contains(takenAt) } else { false }
    }
  }

  static func keyworded(anyOf words: Set<String>) -> Predicate<PhotoLibrary.Asset> {
    #Predicate { asset in asset.keywords.contains { words.contains($0) } }
  }

  static func near(_ center: PhotoLibrary.Coordinate, within degrees: Double) -> Predicate<PhotoLibrary.Asset> {
    let south = center.latitude - degrees
    let north = center.latitude + degrees
    let west = center.longitude - degrees
    let east = center.longitude + degrees
    return #Predicate { asset in
      asset.place.flatMap { place in
        place.latitude >= south && place.latitude <= north && place.longitude >= west && place.longitude <= east
      } ?? false
    }
  }
}
