import Foundation
import Support
import SwiftData

@testable import TestSupport

// Notes in folders. The second release adds tags, the third models for the pictures that notes had.

enum NotesReleases {
  enum Tint: String, Codable, CaseIterable {
    case yellow, blue, green
  }

  struct Place: Codable, Hashable {
    var name: String
    var latitude: Double?
  }

  static let calls = StageCalls()
  /// The pictures that notes had, by the codes of the notes.
  private static let pictures = Mutex<[UUID: Data]>([:])

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Folder.self, Note.self] }

    @Model
    final class Folder {
      var number: Int
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Note {
      #Index<Note>([\.changed])
      var number: Int
      @Attribute(.unique) var code: UUID
      var text: String
      var changed: Date
      var link: URL?
      @Attribute(.externalStorage) var picture: Data?
      var folder: Folder?

      init(_ number: Int) {
        self.number = number
        code = Varied.code(number)
        text = Varied.text(number)
        changed = Varied.date(number)
        link = Varied.link(number)
        picture = Varied.maybe(number, Varied.bytes(number))
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Folder.self, Note.self, Tag.self] }

    @Model
    final class Folder {
      var number: Int
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Note {
      #Index<Note>([\.isPinned, \.changed])
      var number: Int
      @Attribute(.unique) var code: UUID
      @Attribute(originalName: "text") var body: String
      var changed: Date
      var link: URL?
      @Attribute(.externalStorage) var picture: Data?
      var isPinned = false
      var tint: Tint?
      var keywords = ["new"]
      var folder: Folder?
      @Relationship(inverse: \Tag.notes) var tags: [Tag] = []

      init(_ number: Int) {
        self.number = number
        code = Varied.code(number)
        body = Varied.text(number)
        changed = Varied.date(number)
        link = Varied.link(number)
        picture = Varied.maybe(number, Varied.bytes(number))
        isPinned = number.isMultiple(of: 2)
        tint = Varied.maybe(number, Tint.allCases[number % 3])
        keywords = Varied.words(number)
      }
    }

    @Model
    final class Tag {
      var number: Int
      @Attribute(.unique) var word: String
      var notes: [Note] = []

      init(_ number: Int) {
        self.number = number
        word = Varied.name(number)
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Folder.self, Note.self, Tag.self, Attachment.self] }

    @Model
    final class Folder {
      var number: Int
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Note {
      #Index<Note>([\.isPinned, \.changed])
      var number: Int
      @Attribute(.unique) var code: UUID
      var body: String
      var changed: Date
      var link: URL?
      var isPinned = false
      var tint: Tint?
      var keywords = ["new"]
      var place = Place(name: "home", latitude: -1.5)
      var folder: Folder?
      @Relationship(inverse: \Tag.notes) var tags: [Tag] = []
      @Relationship(deleteRule: .cascade, inverse: \Attachment.note) var attachments: [Attachment] = []

      init(_ number: Int) {
        self.number = number
        code = Varied.code(number)
        body = Varied.text(number)
        changed = Varied.date(number)
      }
    }

    @Model
    final class Tag {
      var number: Int
      @Attribute(.unique) var word: String
      var notes: [Note] = []

      init(_ number: Int) {
        self.number = number
        word = Varied.name(number)
      }
    }

    @Model
    final class Attachment {
      @Attribute(.externalStorage) var bytes: Data
      var note: Note?

      init(_ bytes: Data) {
        self.bytes = bytes
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: V1.self, toVersion: V2.self),
        .custom(
          fromVersion: V2.self, toVersion: V3.self,
          willMigrate: { try calls.run("V3 will", $0, rememberPictures) },
          didMigrate: { try calls.run("V3 did", $0, attachPictures) }),
      ]
    }

    private static func rememberPictures(_ context: ModelContext) throws {
      var found: [UUID: Data] = [:]
      for note in try context.fetch(FetchDescriptor<V2.Note>()) { found[note.code] = note.picture }
      pictures.withLock { $0 = found }
    }

    private static func attachPictures(_ context: ModelContext) throws {
      let remembered = pictures.withLock { $0 }
      for note in try context.fetch(FetchDescriptor<V3.Note>()) {
        guard let picture = remembered[note.code] else { continue }
        note.attachments.append(V3.Attachment(picture))
      }
    }
  }
}
