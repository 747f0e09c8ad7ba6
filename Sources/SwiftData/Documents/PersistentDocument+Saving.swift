public import Foundation

extension PersistentDocument {
  /// Saves explicitly: what the document has now is what ``revert()`` goes back to, and it is not edited.
  ///
  /// Inside of an undo group that was begun by hand it stays edited.
  ///
  /// - Throws: What ``ModelContext/save()`` throws, and ``SwiftDataError/documentMoved`` when the file was moved, replaced
  ///   or deleted. Nothing is lost then, and ``save(as:)`` saves it elsewhere.
  public func save() throws {
    let session = try current()
    try session.changes?.savingExplicitly { try saveContext(session) }
  }

  private func saveContext(_ session: DocumentSession) throws {
    try checkLocation()
    do {
      try session.context.save()
    } catch let error as SwiftDataError where error.details?.failureReason == .moved {
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

  /// Discards what the contexts of the document have changed since the last explicit save, or since it was opened.
  ///
  /// Unsaved changes are rolled back. When changes were saved automatically, the file becomes what it was, without what
  /// other processes have saved since, and is opened again.
  ///
  /// - Throws: ``SwiftDataError/documentInUse`` when others have the document open, ``SwiftDataError/documentMoved``,
  ///   ``DataStoreError/unsupportedFeature`` when the type does not keep the last save, and ``SwiftDataError/storeFailure``.
  ///   What was saved stays then, and can be reverted later.
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

  /// Closes the store, lets `body` change its files while no other document has them open, and opens it again.
  ///
  /// - Parameter body: A closure that returns the new files of the document. When it throws, the old ones are opened again.
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
    // Another program that reads may have left an empty log.
    for suffix in ["-wal", "-shm"] { unlink(files.store.path + suffix) }
    try POSIXError.check(rename(copy.path, files.store.path))
    try ExternalFiles.synchronize(files.store.deletingLastPathComponent())
  }

  /// Saves, and writes a copy of the document to another place. The document stays where it is.
  ///
  /// Whatever else is in the folder of a package is copied as well.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/invalidDocument`` when the name of `url` is not one of
  ///   the type, ``SwiftDataError/documentMoved``, and what a save or a ``ModelContainer/backup(to:)`` throws. Nothing is
  ///   left at `url` then.
  public func duplicate(to url: URL) throws {
    let session = try current(isChanging: false)
    try saveContext(session)
    try DocumentFiles(url, type).make { made in
      try session.container.backup(to: made.store)
      try session.files.complete(made)
    }
  }

  /// Saves everything to another place, and goes on there.
  ///
  /// Unsaved changes are saved in the file that was open as well. It works also when that file was moved, replaced or
  /// deleted by another program; values with files of their own are lost when these are. The container, the context and the
  /// undo manager are others afterwards.
  ///
  /// - Throws: What ``duplicate(to:)`` throws, but for ``SwiftDataError/documentMoved``. The document stays open where it
  ///   is then.
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

  /// Saves and moves the document to another place in the same file system. The container, the context and the undo
  /// manager are others afterwards.
  ///
  /// - Throws: ``SwiftDataError/documentExists``, ``SwiftDataError/documentInUse`` when others have the document open,
  ///   ``SwiftDataError/documentMoved``, what a save throws, and ``SwiftDataError/storeFailure``. The document stays where it
  ///   is then.
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

  /// Closes the document: its file is then one consistent thing to copy, mail or commit, without a write-ahead log, unless
  /// others have it open.
  ///
  /// Does nothing when the document is closed already.
  ///
  /// - Parameter isSaving: Whether unsaved changes are saved. They are discarded otherwise.
  /// - Throws: What ``save()`` throws, and ``SwiftDataError/storeFailure`` with the reason `busy` in a transaction or a fetch;
  ///   the document stays open then.
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
