public import Foundation

extension PersistentDocument {
  /// Saves explicitly: ``revert()`` returns to the saved state, and the document is not edited any more.
  ///
  /// Inside an undo group that the program has begun, the document stays edited.
  ///
  /// - Throws: The errors of ``ModelContext/save()``, and ``SwiftDataError/documentMoved`` when the file was moved, replaced
  ///   or deleted. The changes stay in the context then, and ``save(as:)`` can save them elsewhere.
  public func save() throws {
    let session = try current()
    try session.changes?.savingExplicitly { try saveContext(session) }
  }

  private func saveContext(_ session: DocumentSession) throws {
    try checkLocation()
    do {
      try session.context.save()
    } catch let error as SwiftDataError where error.details?.storeFailureReason == .moved {
      throw moved(fileStatus, underlying: error)
    }
  }

  /// - Throws: `documentMoved` when the open store is no longer at its path.
  private func checkLocation() throws {
    let status = fileStatus
    if status != .unchanged { throw moved(status) }
  }

  private func moved(_ status: FileStatus, underlying error: (any Error)? = nil) -> SwiftDataError {
    let found =
      switch status {
      case .unchanged, .replaced: "was replaced by another file"
      case .moved(let url): "was moved to \(url.path)"
      case .deleted: "was deleted"
      }
    return SwiftDataError.documentMoved.with(
      message: "The file of the document at \(fileURL.path) \(found).",
      hint: "Nothing was written. Save the document elsewhere: call save(as:).", underlying: error)
  }

  /// Discards all changes of the document's contexts since the last explicit save, or since the document was opened.
  ///
  /// Unsaved changes are rolled back. When changes were saved automatically, the file returns to its earlier state, without
  /// later saves of other processes, and is opened again.
  ///
  /// - Throws: ``SwiftDataError/documentInUse`` when others have the document open, ``SwiftDataError/documentMoved``,
  ///   ``DataStoreError/unsupportedFeature`` when the type does not keep the last save, and ``SwiftDataError/storeFailure``.
  ///   Saved changes stay then, and can be reverted later.
  public func revert() throws {
    let session = try current()
    guard let lastSave = try session.changes?.lastSave() else {
      session.context.rollback()
      session.changes?.recordSaved()
      return
    }
    try reopening(session) {
      try restore(lastSave, session.files)
      return session.files
    }
  }

  /// Closes the store, runs `body` with exclusive access to the files, and opens the store again.
  ///
  /// - Parameter body: Changes the files, and returns those to open. When it throws, the old files are opened again.
  private func reopening(_ session: DocumentSession, _ body: () throws -> DocumentFiles) throws {
    try checkLocation()
    try session.lock?.becomeExclusive(session.files)
    do {
      try session.container.close()
    } catch {
      session.lock?.becomeShared(session.files)
      throw error
    }
    let result = Result {
      try session.files.describingFailures {
        try session.files.checkClosed()
        return try body()
      }
    }
    do {
      let files = try? result.get()
      let kept = files == nil ? session.changes : nil
      adopt(try DocumentSession(files ?? session.files, access, keeping: session.lock, kept))
      session.end()
    } catch {
      try closeSession()
      throw error
    }
    _ = try result.get()
  }

  /// Replaces the closed store by a copy.
  private func restore(_ copy: URL, _ files: DocumentFiles) throws {
    let (from, to) = (ExternalFiles(store: copy), ExternalFiles(store: files.store))
    // The folder has the files of both states until the store is opened, which removes the files that no row names.
    for name in from.names() where !FileManager.default.fileExists(atPath: to.folder.appendingPathComponent(name).path)
    {
      try FileManager.default.createDirectory(at: to.folder, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: from.folder.appendingPathComponent(name), to: to.folder.appendingPathComponent(name))
    }
    if FileManager.default.fileExists(atPath: to.folder.path) { try to.synchronize() }
    DocumentFiles.copyPermissions(of: files.store, to: copy)
    // A reader in another process may have left an empty log.
    for suffix in ["-wal", "-shm"] { unlink(files.store.path + suffix) }
    try POSIXError.check(rename(copy.path, files.store.path))
    try ExternalFiles.synchronize(files.store.deletingLastPathComponent())
  }

  /// Saves, and writes a copy of the document to another URL. The document keeps its URL.
  ///
  /// Other files in the folder of a package are copied as well.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/invalidDocument`` when the name of `url` does not have the
  ///   type's extension, ``SwiftDataError/documentMoved``, and the errors of a save and of ``ModelContainer/backup(to:)``.
  ///   Nothing is left at `url` then.
  public func duplicate(to url: URL) throws {
    let session = try current(isChanging: false)
    try saveContext(session)
    try DocumentFiles(url, type).make { made in
      try session.container.backup(to: made.store)
      try session.files.complete(made)
    }
  }

  /// Saves the document to another URL, and continues with the file there.
  ///
  /// Unsaved changes are saved to the open file as well. The method also works when another program has moved, replaced or
  /// deleted that file, but external values are lost when their files are. Afterwards the document has another container,
  /// context and undo manager.
  ///
  /// - Throws: The errors of ``duplicate(to:)``, except for ``SwiftDataError/documentMoved``. The document stays open at its
  ///   URL then.
  public func save(as url: URL) throws {
    let session = try current(isChanging: false)
    let files = try DocumentFiles(url, type)
    var source = session.files
    if case .moved(let url) = fileStatus { source = source.at(url) }
    try files.make { made in
      try session.container.core.documentStore.backUp(to: made.store, present: source.store) {
        try session.context.save()
      }
      try source.complete(made)
    }
    do {
      let opened = try DocumentSession(files, access)
      // A session that cannot be closed now is closed when it is released.
      try? closeSession()
      adopt(opened)
    } catch {
      try? files.remove()
      throw error
    }
  }

  /// Saves and moves the document to another URL in the same file system. Afterwards the document has another container,
  /// context and undo manager.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/documentInUse`` when others have the document open,
  ///   ``SwiftDataError/documentMoved``, the errors of a save, and ``SwiftDataError/storeFailure``. The document keeps its
  ///   URL then.
  public func move(to url: URL) throws {
    let session = try current()
    let files = try DocumentFiles(url, type)
    try files.makeVacant()
    try save()
    try reopening(session) {
      try files.install(session.files.url)
      session.lock?.move(to: files)
      return files
    }
  }

  /// Closes the document. Unless others have it open, its file then has no write-ahead log, and can be copied, mailed or
  /// committed.
  ///
  /// A second call does nothing.
  ///
  /// - Parameter isSaving: Whether unsaved changes are saved. They are discarded otherwise.
  /// - Throws: The errors of ``save()``, and ``SwiftDataError/storeFailure`` with the reason `busy` in a transaction or a
  ///   fetch. The document stays open then.
  public func close(saving isSaving: Bool = true) throws {
    if isClosed { return }
    if access != .viewing {
      if isSaving { try saveContext(session) } else { session.context.rollback() }
    }
    try closeSession()
  }

  /// Closes the document and deletes all of its files.
  ///
  /// - Throws: ``SwiftDataError/documentInUse`` when others have the document open, ``SwiftDataError/documentMoved``,
  ///   and ``SwiftDataError/storeFailure``. The document stays open then.
  public func erase() throws {
    let session = try current()
    try checkLocation()
    try session.lock?.becomeExclusive(session.files)
    do {
      try session.files.describingFailures { try session.files.remove() }
    } catch {
      session.lock?.becomeShared(session.files)
      throw error
    }
    session.context.rollback()
    // A store that is in use now is closed when it is released.
    try? closeSession()
  }
}
