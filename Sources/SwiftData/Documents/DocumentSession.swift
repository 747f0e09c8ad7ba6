import Foundation
import FoundationSupplements

/// What is open of a document, from its opening to its closing.
final class DocumentSession {
  let files: DocumentFiles
  let container: ModelContainer
  let context: ModelContext
  /// Nil when the document is viewed.
  let changes: DocumentChanges?
  /// Nil when the document is viewed.
  let lock: DocumentLock?
  /// Has the copy that is viewed in place of a document of an older version.
  private let scratch: ScratchFolder?
  private let watch: DocumentWatch

  init(_ files: DocumentFiles, _ access: PersistentDocument.Access) throws {
    self.files = files
    let isCurrent = try files.check()
    if access == .viewing {
      lock = nil
      scratch = try isCurrent ? nil : Self.migratedCopy(files)
      let viewed = scratch.map { files.at($0.url.appendingPathComponent(files.name)) } ?? files
      container = try ModelContainer(
        for: files.type.schema, configurations: viewed.configuration(allowsSave: false))
    } else {
      scratch = nil
      let lock = try DocumentLock(files, isExclusive: access == .exclusiveEditing)
      self.lock = lock
      do {
        for folder in Set([files.workFolder, files.folder]) { ScratchFolder.removeLeftovers(in: folder) }
        container = try files.container()
      } catch {
        lock.release()
        throw error
      }
    }
    context = AmbientContainer.makeContext(of: container)
    if access == .viewing {
      changes = nil
    } else {
      let manager = UndoManager()
      context.undoManager = manager
      changes = DocumentChanges(files, context, manager)
    }
    watch = DocumentWatch(files.url)
  }

  var fileStatus: PersistentDocument.FileStatus { watch.status }

  /// Copies a document of an older version, and migrates the copy.
  private static func migratedCopy(_ files: DocumentFiles) throws -> ScratchFolder {
    let scratch = try ScratchFolder(in: FileManager.default.temporaryDirectory)
    let copy = try files.at(scratch)
    try files.copy(to: copy)
    try copy.container().close()
    return scratch
  }

  func close() throws {
    watch.cancel()
    changes?.end()
    defer {
      lock?.release()
      scratch?.remove()
    }
    try container.close()
    if lock == nil, scratch == nil { files.configuration().removeFilesOfReaders() }
  }
}

extension ModelContainer {
  /// The store of a container that has one SQLite store.
  var relationalStore: RelationalStore {
    get throws {
      guard let store = core.stores.first as? RelationalStore else { throw DataStoreError.unsupportedFeature }
      return store
    }
  }
}
