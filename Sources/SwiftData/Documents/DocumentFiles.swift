import Foundation

/// The files of a document: their paths, and the installation of a new document at its path.
struct DocumentFiles {
  /// The package folder, or the file.
  let url: URL
  let type: DocumentType

  var store: URL { isPackage ? url.appendingPathComponent("Contents.store", isDirectory: false) : url }

  /// The file that is locked while the document is open.
  var lock: URL {
    isPackage ? url.appendingPathComponent(".lock") : folder.appendingPathComponent(".\(name).lock")
  }

  /// The folder for temporary files while the document is open. It is in the same file system as the document.
  var workFolder: URL { isPackage ? url : folder }
  var folder: URL { url.deletingLastPathComponent() }
  var name: String { url.lastPathComponent }
  private var isPackage: Bool { type.conformance == .package }

  /// - Throws: `invalidDocument` when a document of the type cannot have such a URL or such models.
  init(_ url: URL, _ type: DocumentType) throws {
    // The target of a symbolic link, as an absolute path, because the working directory may change.
    self.init(
      unchecked: URL(fileURLWithPath: url.isFileURL ? url.path : "/", isDirectory: false).withoutLinks, type)
    guard url.isFileURL, !url.path.utf8.contains(0), !type.filenameExtension.isEmpty,
      url.pathExtension.lowercased() == type.filenameExtension.lowercased()
    else {
      throw invalid(
        "does not have the extension .\(type.filenameExtension) of a \(type)", "Choose a name with that extension.")
    }
    guard !type.schema.entities.isEmpty else {
      throw invalid(
        "has no models, because its type has none", "Declare the type with models, or a plan with versions.")
    }
    let external = type.schema.entities.lazy.flatMap { entity in
      entity.attributes.filter { $0.options.contains(.externalStorage) }.map { "\(entity.name).\($0.name)" }
    }.first
    if let external, !isPackage {
      throw invalid(
        "cannot be a single file, because \(external) has external storage",
        "Declare the type with conformingTo: .package, or the attribute without .externalStorage.")
    }
  }

  /// The files of a document of the same type at another URL.
  func at(_ url: URL) -> DocumentFiles { DocumentFiles(unchecked: url, type) }

  /// The URL of the document whose store is at `url`.
  func document(ofStore url: URL) -> URL { isPackage ? url.deletingLastPathComponent() : url }

  private init(unchecked url: URL, _ type: DocumentType) {
    (self.url, self.type) = (url, type)
  }

  func configuration(allowsSave: Bool = true) -> ModelConfiguration {
    ModelConfiguration(
      url.deletingPathExtension().lastPathComponent, url: store, allowsSave: allowsSave, options: type.options)
  }

  /// Opens the store, and migrates it when it has an older version.
  func container() throws -> ModelContainer {
    try ModelContainer(for: type.schema, migrationPlan: type.migrationPlan, configurations: configuration())
  }

  /// Checks that there is a document of the type, of a version that the program knows.
  ///
  /// - Returns: Whether its schema is the current one.
  func check() throws -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw invalid("is not a \(type): it does not exist", "It may have been moved or deleted.")
    }
    guard isFolder.boolValue == isPackage, !isPackage || FileManager.default.fileExists(atPath: store.path) else {
      throw notOfType("\(isFolder.boolValue ? "another folder" : "a file")")
    }
    let found: UnopenedStore?
    do {
      found = try UnopenedStore(configuration(), isOnlyRead: true)
    } catch let error as SwiftDataError where error.refusesFile {
      throw invalid("is not a \(type), or is damaged", error.details?.hint, underlying: error)
    }
    guard let found else { throw notOfType("not a store") }
    do {
      defer { found.close() }
      return try check(found)
    } catch {
      configuration().removeFilesOfReaders()
      throw error
    }
  }

  private func check(_ found: UnopenedStore) throws -> Bool {
    guard let identifier = try found.documentType() else { throw notOfType("a store without a document type") }
    guard identifier == type.identifier else { throw notOfType("a \(identifier)") }
    if found.schemaHash == type.schema.versionHash { return true }
    let known = type.migrationPlan?.schemas.map { Schema(versionedSchema: $0).versionHash } ?? []
    guard !known.contains(found.schemaHash), let version = found.version, version > type.schema.version else {
      return false
    }
    throw SwiftDataError.documentVersionTooNew.with(
      message: """
        \(url.path) has version \(version) of its schema, and this program knows version \(type.schema.version) at most.
        """, hint: "Open it with the program that wrote it, or a later one.")
  }

  private func notOfType(_ found: String) -> SwiftDataError {
    invalid("is not a \(type): it is \(found)", "Open it with another type. The file was not changed.")
  }

  private func invalid(_ message: String, _ hint: String?, underlying: (any Error)? = nil) -> SwiftDataError {
    SwiftDataError.invalidDocument.with(message: "\(url.path) \(message).", hint: hint, underlying: underlying)
  }

  /// Makes a document in a scratch folder, and moves it to its path when it is complete.
  ///
  /// - Parameter body: A closure that writes the store of the document that it is given.
  func make(_ body: (DocumentFiles) throws -> Void) throws {
    let (scratch, made) = try describingFailures {
      ScratchFolder.removeLeftovers(in: folder)
      try makeVacant()
      let scratch = try ScratchFolder(in: folder)
      return (scratch, try at(scratch))
    }
    try withExtendedLifetime(scratch) {
      try body(made)
      try describingFailures { try install(made.url) }
    }
  }

  /// Runs `body`, and converts its file system errors to `SwiftDataError.storeFailure`.
  func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch  where error is POSIXError || error is CocoaError {
      throw SwiftDataError.storeFailure(.writing, store: name, file: url.path, error)
    }
  }

  /// Copies the permissions of this document, and the other files of its package, to a copy of its store.
  func complete(_ copy: DocumentFiles) throws {
    for (own, copied) in [(url, copy.url), (store, copy.store)] { Self.copyPermissions(of: own, to: copied) }
    guard isPackage, let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else { return }
    let own = [store.lastPathComponent, ".\(store.lastPathComponent)", ".lock", ".swiftdata-"]
    try copy.describingFailures {
      for name in names where !own.contains(where: name.hasPrefix) {
        try FileManager.default.copyItem(
          at: url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
      }
    }
  }

  static func copyPermissions(of source: URL, to copy: URL) {
    var status = stat()
    if stat(source.path, &status) == 0 { chmod(copy.path, status.st_mode & 0o7777) }
  }

  /// Files of the same name in a scratch folder. A package has a folder there.
  func at(_ scratch: ScratchFolder) throws -> DocumentFiles {
    let url = scratch.url.appendingPathComponent(name, isDirectory: isPackage)
    if isPackage { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
    return at(url)
  }

  /// Moves a document in the same file system, new or with another name, to this path.
  func install(_ made: URL) throws {
    do {
      _ = try isPackage ? InstalledItem(folder: made.path, to: url.path) : InstalledItem(file: made.path, to: url.path)
      // The document exists even when the folder cannot be synced; it may then be lost in a power failure.
      try? ExternalFiles.synchronize(folder)
    } catch let error as POSIXError where [.EEXIST, .ENOTEMPTY].contains(error.code) {
      throw exists
    }
  }

  /// Checks that no file exists at the path. Removes an empty folder, which a process leaves when it ends while it installs
  /// a package.
  func makeVacant() throws {
    var status = stat()
    if isPackage { rmdir(url.path) }
    let paths = isPackage ? [url.path] : ["", "-journal", "-wal", "-shm"].map { url.path + $0 }
    guard paths.contains(where: { lstat($0, &status) == 0 }) else { return }
    throw exists
  }

  private var exists: SwiftDataError {
    SwiftDataError.documentExists.with(
      message: "A file or folder exists at \(url.path) already.", hint: "Choose another name, or move it.")
  }

  /// Removes the document. It is renamed first, so that an interruption leaves no partial document.
  func remove() throws {
    let scratch = try ScratchFolder(in: folder)
    try POSIXError.check(rename(url.path, scratch.url.appendingPathComponent(name).path))
    if !isPackage { for suffix in ["-wal", "-shm"] { unlink(url.path + suffix) } }
    try? ExternalFiles.synchronize(folder)
  }

  /// - Throws: `documentInUse` when another program still reads the store after its container was closed: the write-ahead
  ///   log then has a part of the store.
  func checkClosed() throws {
    var status = stat()
    if stat(store.path + "-wal", &status) == 0, status.st_size > 0 { throw DocumentLock.inUse(self) }
  }
}
