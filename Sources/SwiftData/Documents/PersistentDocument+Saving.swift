public import Foundation

extension PersistentDocument {
  /// Saves explicitly: what the document has now is what ``revert()`` goes back to, and it is not edited.
  ///
  /// - Throws: What ``ModelContext/save()`` throws, and ``SwiftDataError/documentMoved`` when the file was moved, replaced
  ///   or deleted. Nothing is lost then, and ``save(as:)`` saves it elsewhere.
  public func save() throws {
    let session = try current()
    try session.changes?.savingExplicitly { try saveContext(session) }
  }

  private func saveContext(_ session: DocumentSession) throws {
    do {
      try session.context.save()
    } catch let error as StoreFailure where error.reason == .moved {
      throw moved(underlying: error)
    }
  }

  private func moved(underlying error: (any Error)? = nil) -> SwiftDataError {
    let found =
      switch fileStatus {
      case .unchanged, .replaced: "was replaced by another one"
      case .moved(let url): "was moved to \(url.path)"
      case .deleted: "was deleted"
      }
    return SwiftDataError.documentMoved.with(
      message: "The file of the document at \(fileURL.path) \(found).",
      hint: "Nothing was written. Save the document elsewhere: call save(as:).", underlying: error)
  }

  /// Discards what was changed since the last explicit save, or since the document was opened.
  ///
  /// Unsaved changes are rolled back. When changes were saved automatically, the file becomes what it was, with what other
  /// contexts and processes have saved since removed too, and is opened anew. Does nothing when the document is not edited.
  ///
  /// - Throws: ``SwiftDataError/documentInUse`` when others have the document open, ``SwiftDataError/documentMoved``,
  ///   and ``DataStoreError/unsupportedFeature`` when the type does not keep the last save. The document is unchanged
  ///   then.
  public func revert() throws {
    let session = try current()
    guard isEdited || session.context.hasChanges else { return }
    guard let lastSave = try session.changes?.lastSave() else {
      session.context.rollback()
      session.changes?.noteSaved()
      return
    }
    guard fileStatus == .unchanged else { throw moved() }
    try reopening(session) {
      try restore(lastSave, session.files)
      return session.files
    }
  }

  /// Closes the store, and lets `body` change its files while nobody else has them open.
  ///
  /// - Parameter body: Returns where the document is then; nil when it is gone. When it throws, the document is opened
  ///   where it was.
  private func reopening(_ session: DocumentSession, _ body: () throws -> DocumentFiles?) throws {
    var result = Result<DocumentFiles?, any Error>.success(nil)
    try session.lock?.whileAlone {
      session.context.rollback()
      try session.container.close()
      result = Result(catching: body)
    }
    switch result {
    case .success(let files?): try open(files)
    case .success(nil): try closeSession()
    case .failure(let error):
      try open(session.files)
      throw error
    }
  }

  /// Puts a copy in the place of the store, whose files are closed.
  private func restore(_ copy: URL, _ files: DocumentFiles) throws {
    let (from, to) = (ExternalFiles(store: copy), ExternalFiles(store: files.store))
    // Files of both states are there until the store is opened, which removes those that no row names.
    for name in from.names() where !FileManager.default.fileExists(atPath: to.folder.appendingPathComponent(name).path)
    {
      try FileManager.default.createDirectory(at: to.folder, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: from.folder.appendingPathComponent(name), to: to.folder.appendingPathComponent(name))
    }
    if FileManager.default.fileExists(atPath: to.folder.path) { try to.synchronize() }
    // Others that only read may have kept a log, which is empty.
    for suffix in ["-wal", "-shm"] { unlink(files.store.path + suffix) }
    try POSIXError.check(rename(copy.path, files.store.path))
    try ExternalFiles.synchronize(files.store.deletingLastPathComponent())
  }

  /// Saves, and writes a copy of the document to another place. The document stays where it is.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/invalidDocument`` when the name of `url` is not one of
  ///   the type, ``SwiftDataError/documentMoved``, and what a save or a ``ModelContainer/backup(to:)`` throws. Nothing is
  ///   left at `url` then.
  public func duplicate(to url: URL) throws {
    let session = try current(isChanging: false)
    if access != .viewing {
      guard fileStatus == .unchanged else { throw moved() }
      try saveContext(session)
    }
    try DocumentFiles(url, type).make { try session.container.backup(to: $0.store) }
  }

  /// Saves everything to another place, and goes on there. What was saved before stays in the file that was open.
  ///
  /// It works also when the file was moved, replaced or deleted by somebody else. The container, the context and the undo
  /// manager are others afterwards.
  ///
  /// - Throws: What ``duplicate(to:)`` throws, but for ``SwiftDataError/documentMoved``. The document stays open where it
  ///   is then.
  public func save(as url: URL) throws {
    let session = try current(isChanging: false)
    let files = try DocumentFiles(url, type)
    var present: URL?
    if case .moved(let url) = fileStatus { present = files.at(url).store }
    try files.make { made in
      try session.container.relationalStore.backUp(
        to: made.store, present: present
      ) { if access != .viewing { try session.context.save() } }
    }
    let opened = try DocumentSession(files, access)
    // What cannot be closed now is closed when it is released.
    try? closeSession()
    adopt(opened)
  }

  /// Saves and moves the document to another place. The container, the context and the undo manager are others afterwards.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/documentInUse`` when others have the document open,
  ///   ``SwiftDataError/documentMoved``, what a save throws, and errors of the file system. The document stays where it is
  ///   then.
  public func move(to url: URL) throws {
    let session = try current()
    let files = try DocumentFiles(url, type)
    try files.checkVacancy()
    try save()
    try reopening(session) {
      do {
        try files.place(session.files.url)
      } catch let error as POSIXError where error.code == .EXDEV {
        // Another file system.
        try files.make(session.files.copy)
        try session.files.remove()
      }
      return files
    }
  }

  /// Closes the document: its file is then one consistent thing to copy, mail or commit, without a write-ahead log, unless
  /// others have it open.
  ///
  /// Does nothing when the document is closed already.
  ///
  /// - Parameter isSaving: Whether unsaved changes are saved. They are discarded otherwise.
  /// - Throws: What ``save()`` throws; the document stays open then.
  public func close(saving isSaving: Bool = true) throws {
    guard !isClosed, access != .viewing else { return try closeSession() }
    if !isSaving { session.context.rollback() } else if session.context.hasChanges { try save() }
    try closeSession()
  }

  /// Closes the document and deletes all of its files.
  ///
  /// - Throws: ``SwiftDataError/documentInUse`` when others have the document open, ``SwiftDataError/documentMoved``.
  public func erase() throws {
    let session = try current()
    guard fileStatus == .unchanged else { throw moved() }
    try reopening(session) {
      try session.files.remove()
      return nil
    }
  }
}
