import Foundation
import FoundationSupplements

/// The open container, context and lock of a document.
final class DocumentSession {
  let files: DocumentFiles
  let container: ModelContainer
  let context: ModelContext
  /// Nil when the document is viewed.
  let changes: DocumentChanges?
  let lock: DocumentLock?
  let watch: DocumentWatch
  /// The folder of the migrated copy that is viewed in place of a document of an older version.
  private let scratch: ScratchFolder?

  /// - Parameters:
  ///   - lock: The lock of the previous session, when the document is reopened.
  ///   - previous: The changes of the previous session that were saved and not reverted.
  init(
    _ files: DocumentFiles, _ access: PersistentDocument.Access, keeping lock: DocumentLock? = nil,
    _ previous: DocumentChanges? = nil
  ) throws {
    self.files = files
    let isViewed = access == .viewing
    let isCurrent = try files.check()
    // A migration changes the tables, and a process that has the older version open could not use them any more.
    self.lock = try lock ?? DocumentLock.take(files, for: access, startsExclusive: !isCurrent && !isViewed)
    do {
      if isViewed {
        scratch = try isCurrent ? nil : Self.migratedCopy(files)
        let viewed = scratch.map { files.at($0.url.appendingPathComponent(files.name)) } ?? files
        container = try ModelContainer(
          for: files.type.schema, configurations: viewed.configuration(allowsSave: false))
      } else {
        scratch = nil
        for folder in Set([files.workFolder, files.folder]) { ScratchFolder.removeLeftovers(in: folder) }
        container = try files.container()
      }
    } catch {
      if isViewed { files.configuration().removeFilesOfReaders() }
      if lock == nil { self.lock?.release() }
      throw error
    }
    self.lock?.becomeShared(files)
    context = AmbientContainer.makeContext(of: container)
    if isViewed {
      changes = nil
    } else {
      let manager = UndoManager()
      context.undoManager = manager
      changes = DocumentChanges(files, context, manager, previous)
    }
    watch = DocumentWatch(files)
  }

  /// Copies a document of an older version, and migrates the copy.
  private static func migratedCopy(_ files: DocumentFiles) throws -> ScratchFolder {
    ScratchFolder.removeLeftovers(in: FileManager.default.temporaryDirectory)
    let scratch = try ScratchFolder(in: FileManager.default.temporaryDirectory)
    let copy = try files.at(scratch)
    guard let store = try UnopenedStore(files.configuration(), isOnlyRead: true) else { return scratch }
    defer { store.close() }
    try store.backUp(to: copy.store)
    try copy.container().close()
    return scratch
  }

  /// - Throws: The error of closing the container. The session is unchanged then.
  func close() throws {
    try container.close()
    end()
    lock?.release()
  }

  /// Ends the observations of a session whose container is closed.
  func end() {
    watch.cancel()
    changes?.end()
    if changes == nil { files.configuration().removeFilesOfReaders() }
  }
}
