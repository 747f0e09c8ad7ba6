import Foundation
import Relational
import Support

/// The files beside a store that hold the large values of external attributes.
///
/// A column that has its value in a file holds the file's name as text. A file is written and synced, and its folder
/// with it, before the transaction that names it commits, and removed after the one that forgets it did, so that a
/// crash leaves files that nobody names, never names without a file. Nor is one removed while somebody, in whatever
/// process, reads a state of the database that names it, or while another thread writes, as nobody is waited for. What
/// has to stay is tried again after later saves that leave files behind, and when the store is closed. Whatever is left
/// over after all is removed when the store is next opened for writing.
final class ExternalFiles: Sendable {
  /// Larger values go to files: 128 KiB, as on Apple's systems.
  static let threshold = 128 * 1024

  let folder: URL
  private let store: URL
  /// Where the files of a store are that rows of a copy name as well. They are only read; nil where there is no other
  /// store.
  private let origin: URL?
  /// Whether rows of a copy name files here that is not in the place of the store yet: nothing goes until it is.
  private let isOfWorkingCopy: Bool
  private let state = Mutex(State())

  private struct State {
    /// Files that the last state names no more, though an older one may that somebody reads.
    var retired: Set<String> = []
    /// Whether the folders around `folder` are synced, so that they survive a loss of power.
    var hasLastingParents = false
    /// What was written for the rows of a working copy.
    var written: [String] = []
  }

  /// - Parameters:
  ///   - store: The store, or a link to it. Its folder is there before anything is written.
  ///   - origin: The store of which this one is a copy, if rows name files of that one as well.
  init(store: URL, isOfWorkingCopy: Bool = false, origin: URL? = nil) {
    self.isOfWorkingCopy = isOfWorkingCopy
    self.store = store.withoutLinks
    folder = Self.folder(of: self.store)
    self.origin = origin.map { Self.folder(of: $0.withoutLinks) }
  }

  private static func folder(of store: URL) -> URL {
    // With its extension, because a store with another one may lie beside this one.
    let name = store.lastPathComponent
    return store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }

  /// Where a file is that a row names.
  private func place(of name: String) -> URL {
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
      // A full disk may have taken a part of it.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    if isOfWorkingCopy { state.withLock { $0.written.append(name) } }
    return name
  }

  /// Removes what was written for a working copy that comes to nothing.
  func removeWritten() {
    remove(
      state.withLock { state in
        defer { state.written = [] }
        return state.written
      })
  }

  /// The folder beside the store in which its own files are, `folder` among them.
  var supportFolder: URL { folder.deletingLastPathComponent() }

  /// Copies files to the folder of another store, which has none.
  ///
  /// - Parameter names: Names of rows, which need not be those of files when the store is damaged.
  func copy(_ names: some Sequence<String>, to other: ExternalFiles) throws {
    var isEmpty = true
    for name in Set(names) where UUID(uuidString: name) != nil {
      let source = place(of: name)
      // Whatever else there is, such as a pipe or a link, would not be read from the copy either.
      guard (try? Self.isOrdinary(source)) == true else {
        Log.store.warning("The external file \(name) is not there, and so not in the backup.")
        continue
      }
      if isEmpty { try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true) }
      isEmpty = false
      let target = other.folder.appendingPathComponent(name)
      try FileManager.default.copyItem(at: source, to: target)
      // It may be one that cannot be written to.
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
    let url = place(of: name)
    // A pipe would be waited for, and a link may lead anywhere.
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else { throw CocoaError(.fileReadUnknown) }
    let size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
    guard size <= ProcessInfo.processInfo.physicalMemory else { throw CocoaError(.fileReadTooLarge) }
    return try Data(contentsOf: url)
  }

  /// Syncs the folder, and once those around it, so that the names of the files written so far survive a loss of power.
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
    // There are file systems that cannot do so for folders.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Removes files that the last state of a database names no more, as soon as nobody reads an older one.
  func retire(_ names: [String], _ database: any Database) {
    // What the store's rows name no more is found when it is next opened.
    if names.isEmpty || isOfWorkingCopy { return }
    state.withLock { $0.retired.formUnion(names) }
    removeRetired(database)
  }

  /// Removes what had to wait, if nobody reads an older state of the database any more.
  func removeRetired(_ database: any Database) {
    // They stay in the list: another thread may find nobody reading any more while this one still finds somebody.
    let names = state.withLock { $0.retired }
    if names.isEmpty { return }
    // The rows of a copy name what those of the store named when it was copied.
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
      return Log.store.warning("A link leads to the folder of the external files, so \(names.count) are left over.")
    }
    for name in names where UUID(uuidString: name) != nil {
      // `unlink` removes no folder with its contents, should one be in the place of the file.
      guard unlink(folder.appendingPathComponent(name).path) != 0 else { continue }
      Log.store.warning("The external file \(name) is left over: \(String(cString: strerror(errno)))")
    }
  }

  /// Whether the folder is this store's, and not one that a link leads to: another store's files would be taken for left
  /// over.
  private var isOwnFolder: Bool {
    [folder.deletingLastPathComponent(), folder].allSatisfy { folder in
      var status = stat()
      return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  /// The files that no row names. No save may be under way, so this is called in a write transaction.
  func unreferenced(
    _ connection: any Connection, _ dialect: any Dialect, _ columns: [(table: String, column: String)]
  ) throws -> [String] {
    // Somebody else may be working on a copy of the store, whose rows name files here. None of those that do is looked
    // for; when they are done, or have ended, somebody looks again.
    let files = isOfWorkingCopy || WorkingCopy.exist(of: store) ? [] : names()
    if files.isEmpty { return [] }
    guard isOwnFolder else {
      Log.store.warning("A link leads to the folder of the external files, so no file is taken for left over.")
      return []
    }
    var named = Set<String>()
    for (table, column) in columns {
      let names = dialect.render(EntityLayout.fileNames(in: column, of: table))
      try connection.forEachRow(names) { named.insert($0.text(0)) }
    }
    // A name without a file is a damaged one, and what it named looks like an orphan.
    guard named.isSubset(of: files) else {
      Log.store.warning("Rows name external files that are not there, so no file is taken for left over.")
      return []
    }
    return files.filter { !named.contains($0) }
  }

  /// The names of all files. No save may be under way, as for `orphans`.
  func names() -> [String] {
    [folder, origin].compactMap { $0 }.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }
  }
}
