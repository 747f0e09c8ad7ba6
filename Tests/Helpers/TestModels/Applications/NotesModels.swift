import Foundation
import SwiftData

@testable import TestSupport

// Notes in folders, with tags, check lists and files.

enum NotesApp {
  enum Tint: String, Codable, CaseIterable {
    case yellow, blue, green
  }

  struct ChecklistItem: Codable, Hashable {
    var text: String
    var isDone = false
  }

  @Model
  final class Folder {
    var name: String
    var parent: Folder?
    @Relationship(deleteRule: .cascade, inverse: \Folder.parent) var subfolders: [Folder] = []
    @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []

    init(name: String, parent: Folder? = nil) {
      self.name = name
      self.parent = parent
    }
  }

  @Model
  final class Note {
    #Index<Note>([\.modifiedAt], [\.deletedAt, \.modifiedAt])

    var title: String
    var body: String
    var createdAt: Date
    var modifiedAt: Date
    var deletedAt: Date?
    var isPinned: Bool = false
    var tint: Tint?
    var checklist: [ChecklistItem] = []
    var folder: Folder?
    @Relationship(inverse: \Tag.notes) var tags: [Tag] = []
    @Relationship(deleteRule: .cascade, inverse: \Attachment.note) var attachments: [Attachment]? = []

    init(title: String, body: String = "", createdAt: Date = .now, folder: Folder? = nil) {
      self.title = title
      self.body = body
      self.createdAt = createdAt
      self.modifiedAt = createdAt
      self.folder = folder
    }
  }

  @Model
  final class Tag {
    @Attribute(.unique) var name: String
    var notes: [Note] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Attachment {
    var fileName: String
    var byteCount: Int
    @Attribute(.externalStorage) var contents: Data?
    var note: Note?

    init(fileName: String, contents: Data?) {
      self.fileName = fileName
      self.byteCount = contents?.count ?? 0
      self.contents = contents
    }
  }
}

extension NotesApp.Note {
  /// The search field of the list: an empty text finds every note that is not in the bin.
  static func predicate(searchText: String, in folder: NotesApp.Folder? = nil) -> Predicate<NotesApp.Note> {
    let folderID = folder?.persistentModelID
    let isListed = #Predicate<NotesApp.Note> { note in
      note.deletedAt == nil && (folderID == nil || note.folder?.persistentModelID == folderID)
    }
    let matchesText = #Predicate<NotesApp.Note> { note in
      searchText.isEmpty
        || note.title.localizedStandardContains(searchText)
        || note.body.localizedStandardContains(searchText)
    }
    let matchesMore = #Predicate<NotesApp.Note> { note in
      note.tags.contains { $0.name.localizedStandardContains(searchText) }
        || (note.attachments?.contains { $0.fileName.localizedStandardContains(searchText) } ?? false)
    }
    return Predicate(all: [isListed, Predicate(any: [matchesText, matchesMore])])
  }

  static func binned(before date: Date) -> Predicate<NotesApp.Note> {
    #Predicate { note in
      if let deletedAt = note.deletedAt {
        deletedAt < date
      } else {
        false
      }
    }
  }

  static func tagged(allOf names: Set<String>) -> Predicate<NotesApp.Note> {
    let count = names.count
    return #Predicate { note in
      note.tags.filter { names.contains($0.name) }.count == count
    }
  }
}
