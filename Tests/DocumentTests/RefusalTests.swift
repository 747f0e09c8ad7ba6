import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Documents that are refused")
@MainActor
struct RefusalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Expects an error with a reason and a hint, and that no file changes.
  private func expectRefusal(
    _ expected: SwiftDataError, of url: URL, _ type: DocumentType, saying text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try StoreFiles.contents(of: folder.url)
    for access in [PersistentDocument.Access.editing, .exclusiveEditing, .viewing] {
      let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation) {
        try PersistentDocument(openingAt: url, type: type, for: access)
      }
      #expect(error == expected, "\(String(describing: error))", sourceLocation: sourceLocation)
      #expect(
        error?.details?.message?.contains(text) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
      #expect(error?.details?.hint?.isEmpty == false, sourceLocation: sourceLocation)
    }
    #expect(try StoreFiles.contents(of: folder.url) == before, sourceLocation: sourceLocation)
  }

  @Test("A missing file is refused")
  func missing() throws {
    try expectRefusal(.invalidDocument, of: folder.file("First.note"), .note, saying: "does not exist")
  }

  @Test("Another filename extension is refused")
  func fileExtension() throws {
    try expectRefusal(.invalidDocument, of: folder.file("First.txt"), .note, saying: "extension .note")
  }

  @Test("A text, an empty file, another database and a plain store are no documents")
  func otherFiles() throws {
    let url = folder.file("First.note")
    for content in ["", "x", String(repeating: "no database ", count: 500)] {
      try Data(content.utf8).write(to: url)
      try expectRefusal(.invalidDocument, of: url, .note, saying: "com.example.note")
    }
    try FileManager.default.removeItem(at: url)
    try StoreFiles.execute("CREATE TABLE t (a)", at: url)
    try expectRefusal(.invalidDocument, of: url, .note, saying: "not a store")
    try FileManager.default.removeItem(at: url)
    let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: url))
    try container.close()
    try expectRefusal(.invalidDocument, of: url, .note, saying: "without a document type")
  }

  @Test("A folder is no single-file document, and a file is no package")
  func conformance() throws {
    let (note, notebook) = (folder.file("First.note"), folder.file("First.notebook"))
    try FileManager.default.createDirectory(at: note, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: notebook, withIntermediateDirectories: true)
    try expectRefusal(.invalidDocument, of: note, .note, saying: "another folder")
    try expectRefusal(.invalidDocument, of: notebook, .notebook, saying: "another folder")
    try FileManager.default.removeItem(at: notebook)
    try Data().write(to: notebook)
    try expectRefusal(.invalidDocument, of: notebook, .notebook, saying: "a file")
  }

  @Test("The error for a document of another type names that type")
  func otherType() throws {
    let url = folder.file("First.note")
    try PersistentDocument(creatingAt: url, type: .memo).close()
    try expectRefusal(.invalidDocument, of: url, .note, saying: "com.example.memo")
  }

  @Test("The error for a document of a later version names both versions")
  func later() throws {
    let url = folder.file("First.album")
    try PersistentDocument(creatingAt: url, type: .album).close()
    try expectRefusal(.documentVersionTooNew, of: url, .formerAlbum, saying: "2.0.0")
    try expectRefusal(.documentVersionTooNew, of: url, .formerAlbum, saying: "1.0.0")
  }

  @Test("A single-file document cannot have attributes with external storage")
  func externalStorage() throws {
    let type = DocumentType("com.example.photo", filenameExtension: "photo", conformingTo: .data, for: Photo.self)
    let error = #expect(throws: SwiftDataError.self) {
      try PersistentDocument(creatingAt: folder.file("First.photo"), type: type)
    }
    #expect(error == .invalidDocument)
    #expect(error?.details?.message?.contains("Photo.image") == true)
  }

  @Test("A document type without models is refused")
  func withoutModels() throws {
    enum EmptyPlan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [] }
      static var stages: [MigrationStage] { [] }
    }
    let type = DocumentType("com.example.empty", filenameExtension: "empty", migrationPlan: EmptyPlan.self)
    #expect(throws: SwiftDataError.invalidDocument) {
      try PersistentDocument(creatingAt: folder.file("First.empty"), type: type)
    }
  }

  @Test("A missing folder is an error of the file system")
  func missingFolder() throws {
    #expect(throws: (any Error).self) {
      try PersistentDocument(creatingAt: folder.file("nowhere/First.note"), type: .note)
    }
  }

  @Test("Invalid URLs are refused", arguments: ["https://example.com/a.note", "file:///", "data:a.note"])
  func hostile(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: (any Error).self) { try PersistentDocument(openingAt: url, type: .note) }
    #expect(throws: (any Error).self) { try PersistentDocument(creatingAt: url, type: .note) }
  }
}
