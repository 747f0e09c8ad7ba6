public import Foundation
public import Observation

#if FoundationUndoManager
  import FoundationSupplements
#else
  public import FoundationSupplements
#endif

/// A document whose contents are models: a store with a container, a context, undo and autosave.
///
/// It does what SwiftUI's `DocumentGroup` does for an application with Apple's SwiftData, for programs without SwiftUI.
/// ```swift
/// let document = try PersistentDocument(creatingAt: url, type: .flashcards) { context in
///   context.insert(Deck(name: "Spanish"))
/// }
/// document.modelContext.insert(Card(front: "sí", back: "yes"))
/// try document.save()
/// try document.close()
/// ```
///
/// A document belongs to the isolation in which it was made, as a ``ModelContext`` does. On the main actor its context is the
/// container's main context, which saves automatically. On another actor it is a context that saves only explicitly.
///
/// All properties can be observed. ``revert()``, ``save(as:)`` and ``move(to:)`` open the store again: afterwards the
/// document has another container, context and undo manager, and models of the previous context are detached. An addition
/// of OpenSwiftData; see <doc:Documents>.
@Observable
public final class PersistentDocument {
  /// The purpose for which a document is opened.
  public enum Access: Hashable, Sendable {
    /// Editing, while others may edit the document too.
    case editing
    /// Editing, while no other document has the file open.
    case exclusiveEditing
    /// Reading only. A document of an older version is migrated in a copy, and its file does not change.
    case viewing
  }

  /// The state of the file of an open document. If it is not `unchanged`, only ``PersistentDocument/save(as:)`` can save.
  public enum FileStatus: Hashable, Sendable {
    /// The file is at the URL at which the document has opened it.
    case unchanged
    /// Another program has moved the file.
    case moved(to: URL)
    /// Another file is at the URL.
    case replaced
    /// Another program has deleted the file, with its external values.
    case deleted
  }

  /// The type of the document.
  public let type: DocumentType
  /// The purpose for which the document is opened.
  public let access: Access
  /// The open session, or the last one of a closed document.
  private(set) var session: DocumentSession
  /// Whether the document is closed: its store cannot be read or written any more.
  public private(set) var isClosed = false

  /// Opens a document.
  ///
  /// The initializer removes hidden folders that an ended process has left beside the document.
  ///
  /// - Parameters:
  ///   - url: The URL of the document.
  ///   - type: The type that the document must have.
  ///   - access: The purpose for which the document is opened.
  /// - Throws: ``SwiftDataError/invalidDocument`` when there is no document of the type at `url`,
  ///   ``SwiftDataError/documentVersionTooNew`` when a later version of the program has written it,
  ///   ``SwiftDataError/documentInUse`` when others have it open and one of the two needs exclusive access, and the errors of
  ///   the initializers of ``ModelContainer``. The document is unchanged then.
  public convenience init(openingAt url: URL, type: DocumentType, for access: Access = .editing) throws {
    try self.init(DocumentFiles(url, type), access)
  }

  /// Creates a document and opens it for editing.
  ///
  /// - Parameters:
  ///   - url: The URL of the new document. No file may exist there, and the folder that contains it must exist.
  ///   - type: Its type, which the document records.
  ///   - access: The purpose for which the new document is opened.
  ///   - prepareDocument: Inserts the first models in a context, which is saved afterwards.
  /// - Throws: ``SwiftDataError/documentExists`` when a file exists at `url`, ``SwiftDataError/invalidDocument`` when the name
  ///   of `url` does not have the type's extension, errors of the file system, and the errors of `prepareDocument`. Nothing is
  ///   left at `url` then.
  public convenience init(
    creatingAt url: URL, type: DocumentType, for access: Access = .editing,
    prepareDocument: (ModelContext) throws -> Void = { _ in }
  ) throws {
    let files = try DocumentFiles(url, type)
    try files.make { made in
      let container = try made.container()
      try container.core.documentStore.setDocumentType(type.identifier)
      let context = ModelContext(container)
      try prepareDocument(context)
      try context.save()
      try container.close()
    }
    try self.init(files, access)
  }

  private init(_ files: DocumentFiles, _ access: Access) throws {
    type = files.type
    self.access = access
    session = try DocumentSession(files, access)
  }

  /// The package folder or the file.
  public var fileURL: URL { session.files.url }

  /// The name of the file without its extension.
  public var displayName: String { fileURL.deletingPathExtension().lastPathComponent }

  /// The container of the document's store. It is closed once the document is.
  public var modelContainer: ModelContainer { session.container }

  /// The context in which the document is edited.
  public var modelContext: ModelContext { session.context }

  /// The undo manager of ``modelContext``. Nil when the document is opened for viewing.
  public var undoManager: UndoManager? { session.context.undoManager }

  /// The current state of the document's file.
  public var fileStatus: FileStatus { session.watch.status }

  /// Whether the document has changes since it was saved explicitly, or opened.
  ///
  /// Changes that were saved automatically count, and so do saves of other contexts of the container. Changes that were
  /// undone do not count, nor do changes that are not registered with the undo manager.
  public var isEdited: Bool {
    !isClosed && session.changes?.isEdited == true
  }

  /// - Parameter isChanging: Whether the caller changes the document.
  /// - Throws: `storeFailure` when the document is closed; `modelValidationFailure` for a change of a viewed document.
  func current(isChanging: Bool = true) throws -> DocumentSession {
    guard !isClosed else {
      throw SwiftDataError.storeFailure(
        .reading, store: displayName, reason: .closed, message: "the document is closed",
        hint: "Open the document again.")
    }
    guard !isChanging || access != .viewing else {
      throw SwiftDataError.modelValidationFailure.with(
        message: "The document at \(fileURL.path) is opened for viewing.", hint: "Open it for editing.")
    }
    return session
  }

  func adopt(_ opened: DocumentSession) {
    session = opened
    isClosed = false
  }

  /// Closes the files. The container, the context and the models stay in memory.
  func closeSession() throws {
    try session.close()
    isClosed = true
  }
}
