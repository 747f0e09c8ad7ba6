import Foundation
import Relational
import Support

/// The files beside a store that hold the large values of external attributes.
///
/// A column with its value in a file holds the file's name as text. A file and its folder are synced before the transaction
/// that names the file commits, and it is removed after the commit of the transaction that removes the name: so a crash
/// leaves files without names, never names without files. A file also stays while any process reads a state of the
/// database that names it, or while another thread writes, as removal waits for no one. It is tried again after later
/// saves that leave files behind, and when the store is closed. Remaining files are removed when the store is next opened
/// for writing.
final class ExternalFiles: Sendable {
  /// Larger values go to files: 128 KiB, as on Apple's systems.
  static let threshold = 128 * 1024

  let folder: URL
  private let store: URL
  /// The folder of the original store, whose files the rows of a copy name as well. They are only read; nil without an
  /// original.
  private let origin: URL?
  /// Whether the files belong to the rows of a copy that has not replaced the store yet: none is removed until then.
  private let isOfWorkingCopy: Bool
  private let state = Mutex(State())

  private struct State {
    /// Files that the last state does not name, though an older state that is being read may.
    var retired: Set<String> = []
    /// Whether the folders around `folder` are synced, so that they survive a loss of power.
    var hasLastingParents = false
    /// The files written for the rows of a working copy.
    var written: [String] = []
  }

  /// - Parameters:
  ///   - store: The store, or a link to it. Its folder exists before anything is written.
  ///   - origin: The original of this copy, if rows name files of that store as well.
  init(store: URL, isOfWorkingCopy: Bool = false, origin: URL? = nil) {
    self.isOfWorkingCopy = isOfWorkingCopy
    self.store = store.withoutLinks
    folder = Self.folder(of: self.store)
    self.origin = origin.map { Self.folder(of: $0.withoutLinks) }
  }

  private static func folder(of store: URL) -> URL {
    // With its extension, because a store that differs only in its extension may be in the same folder.
    let name = store.lastPathComponent
    return store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The location of a file that a row names.
  private func url(of name: String) -> URL {
    let own = folder.appendingPathComponent(name)
    guard let origin, !FileManager.default.fileExists(atPath: own.path) else { return own }
    return origin.appendingPathComponent(name)
  }

  func write(_ data: Data) throws -> String {
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    do {
      try data.write(to: url)
      let handle = try FileHandle(forWritingTo: url)
      try handle.synchronize()
      try handle.close()
    } catch {
      // A full disk may have a part of the file.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    if isOfWorkingCopy { state.withLock { $0.written.append(name) } }
    return name
  }

  /// Removes the files of a working copy that is discarded.
  func removeWritten() {
    remove(
      state.withLock { state in
        defer { state.written = [] }
        return state.written
      })
  }

  /// The folder beside the store that has its external files, including `folder`.
  var supportFolder: URL { folder.deletingLastPathComponent() }

  /// Copies files to the folder of another store, which has none yet.
  ///
  /// - Parameter names: The names in rows, which are no file names in a damaged store.
  func copy(_ names: some Sequence<String>, to other: ExternalFiles) throws {
    var isEmpty = true
    for name in Set(names) where UUID(uuidString: name) != nil {
      let source = self.url(of: name)
      // A pipe or a link could not be read from the copy either.
      guard (try? Self.isOrdinary(source)) == true else {
        Log.store.warning("The external file \(name) is missing, and so not in the backup.")
        continue
      }
      if isEmpty { try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true) }
      isEmpty = false
      let target = other.folder.appendingPathComponent(name)
      try FileManager.default.copyItem(at: source, to: target)
      // The file may be read-only.
      let handle = try FileHandle(forReadingFrom: target)
      try handle.synchronize()
      try handle.close()
    }
    if !isEmpty { try other.synchronize() }
  }

  private static func isOrdinary(_ url: URL) throws -> Bool {
    try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType == .typeRegular
  }

  func read(_ name: String) throws -> Data {
    guard UUID(uuidString: name) != nil else { throw CocoaError(.fileReadInvalidFileName) }
    let url = self.url(of: name)
    // Reading a pipe would block, and a link may refer to any file.
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else { throw CocoaError(.fileReadUnknown) }
    let size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
    guard size <= ProcessInfo.processInfo.physicalMemory else { throw CocoaError(.fileReadTooLarge) }
    return try Data(contentsOf: url)
  }

  /// Syncs the folder, and once its parents, so that the names of written files survive a loss of power.
  func synchronize() throws {
    try Self.synchronize(folder)
    if state.withLock({ $0.hasLastingParents }) { return }
    let parent = folder.deletingLastPathComponent()
    try Self.synchronize(parent)
    try Self.synchronize(parent.deletingLastPathComponent())
    state.withLock { $0.hasLastingParents = true }
  }

  static func synchronize(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    // Some file systems cannot sync folders.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Removes files that the last state of a database does not name, as soon as no older state is read.
  func retire(_ names: [String], _ database: any Database) {
    // Unused files are found when the store is next opened.
    if names.isEmpty || isOfWorkingCopy { return }
    state.withLock { $0.retired.formUnion(names) }
    removeRetired(database)
  }

  /// Removes retired files, if no older state of the database is read any more.
  func removeRetired(_ database: any Database) {
    // They stay in the list: readers may end between this check and that of another thread.
    let names = state.withLock { $0.retired }
    if names.isEmpty { return }
    // The rows of a copy name the files that the store named when it was copied.
    guard !WorkingCopy.exist(of: store), database.hasOnlyCurrentReaders() else { return }
    remove(
      state.withLock { state in
        defer { state.retired.subtract(names) }
        return state.retired.intersection(names)
      })
  }

  /// Removes files that no state of the database names.
  func remove(_ names: some Sequence<String>) {
    let names = Array(names)
    if names.isEmpty { return }
    guard isOwnFolder else {
      return Log.store.warning("The folder of external files is a link, so \(names.count) unused files stay.")
    }
    for name in names where UUID(uuidString: name) != nil {
      // `unlink` removes no folder with its contents, should there be one with the name.
      guard unlink(folder.appendingPathComponent(name).path) != 0 else { continue }
      Log.store.warning("The external file \(name) cannot be removed: \(String(cString: strerror(errno)))")
    }
  }

  /// Whether the folder belongs to this store, and is no link: the files of another store would seem unused.
  private var isOwnFolder: Bool {
    [folder.deletingLastPathComponent(), folder].allSatisfy { folder in
      var status = stat()
      return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  /// The files that no row names. Must be called in a write transaction, so that no save is in progress.
  func unreferenced(
    _ connection: any Connection, _ dialect: any Dialect, _ columns: [(table: String, column: String)]
  ) throws -> [String] {
    // The rows of a working copy name files here. Those are not removed until the copy is finished, or until a container
    // finds it after its program has ended.
    let files = isOfWorkingCopy || WorkingCopy.exist(of: store) ? [] : names()
    if files.isEmpty { return [] }
    guard isOwnFolder else {
      Log.store.warning("The folder of the external files is a link, so unused files are not removed.")
      return []
    }
    var named = Set<String>()
    for (table, column) in columns {
      let names = dialect.render(EntityLayout.fileNames(in: column, of: table))
      try connection.forEachRow(names) { named.insert($0.text(0)) }
    }
    // A name without a file is a damaged one, and the file that it named would seem unused.
    guard named.isSubset(of: files) else {
      Log.store.warning("Rows name missing external files, so unused files are not removed.")
      return []
    }
    return files.filter { !named.contains($0) }
  }

  /// The names of all files. No save may be in progress, as for `unreferenced`.
  func names() -> [String] {
    [folder, origin].compactMap { $0 }.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }
  }
}
