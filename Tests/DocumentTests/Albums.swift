import Foundation
import SwiftData

/// The version of an earlier release.
enum AlbumsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Photo.self] }

  @Model
  final class Photo {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

enum AlbumsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Photo.self] }

  @Model
  final class Photo {
    var name: String
    @Attribute(.externalStorage) var image = Data()
    var caption = ""

    init(name: String, image: Data = Data(), caption: String = "") {
      self.name = name
      self.image = image
      self.caption = caption
    }
  }
}

/// The plan of the earlier release.
enum FormerPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [AlbumsV1.self] }
  static var stages: [MigrationStage] { [] }
}

enum AlbumsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [AlbumsV1.self, AlbumsV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: AlbumsV1.self, toVersion: AlbumsV2.self, willMigrate: nil) { context in
        for photo in try context.fetch(FetchDescriptor<AlbumsV2.Photo>()) { photo.caption = "Caption of \(photo.name)" }
        try context.save()
      }
    ]
  }
}

typealias Photo = AlbumsV2.Photo

@Model
final class Note {
  var text: String

  init(text: String) {
    self.text = text
  }
}

extension DocumentType {
  static let formerAlbum = DocumentType("com.example.album", filenameExtension: "album", migrationPlan: FormerPlan.self)
  static let album = DocumentType("com.example.album", filenameExtension: "album", migrationPlan: AlbumsPlan.self)
  static let note = DocumentType(
    "com.example.note", filenameExtension: "note", conformingTo: .data, for: Note.self)
  /// Has the models of a note and another identifier.
  static let memo = DocumentType("com.example.memo", filenameExtension: "note", conformingTo: .data, for: Note.self)
  static let notebook = DocumentType("com.example.notebook", filenameExtension: "notebook", for: Note.self)
}

extension PersistentDocument {
  var texts: [String] {
    get throws { try modelContext.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.text)])).map(\.text) }
  }

  var photos: [Photo] {
    get throws { try modelContext.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.name)])) }
  }

  func insert(_ texts: String...) {
    for text in texts { modelContext.insert(Note(text: text)) }
  }
}

extension FileManager {
  /// The names of all files in a folder, hidden or not.
  func names(in folder: URL) throws -> [String] {
    try contentsOfDirectory(atPath: folder.path).sorted()
  }
}

/// A value that is stored in an external file.
func largeValue(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }
