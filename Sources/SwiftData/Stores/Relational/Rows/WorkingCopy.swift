import Foundation
import Relational
import Support

/// A copy of a store for a migration, which replaces the store after all steps.
///
/// It is in a folder of its own, which only the owner can enter, and which is locked while the copy is in use: a copy whose
/// folder is not locked belongs to a program that has ended. Files of external values are not copied: the copy names those
/// of the store. New ones are written there as well, or beside the copy if it never replaces the store.
///
/// If several stores change together, the folder gets a `CommitRecord` at last. A copy with a committed record is not
/// removed: it has to replace the store.
final class WorkingCopy: Sendable {
  /// The location of the store, without links.
  let store: URL
  /// The file of the copy, which is missing until the store is copied.
  let url: URL
  let files: ExternalFiles
  /// The folder of all copies of the store.
  let parent: URL
  /// Whether `parent` is beside the store, and has only its copies.
  private let isBesideStore: Bool
  /// The descriptor of the folder; negative before there is one.
  private let descriptor = Mutex<Int32>(-1)

  /// - Parameters:
  ///   - parent: The folder for the folder of a copy that never replaces the store; nil for one beside the store.
  ///   - name: The name of the copy's folder.
  init(of store: URL, in parent: URL? = nil, named name: String = UUID().uuidString) {
    self.store = store.withoutLinks
    isBesideStore = parent == nil
    self.parent = parent ?? Self.parent(of: store)
    url = self.parent.appendingPathComponent(name, isDirectory: true)
      .appendingPathComponent("copy.store", isDirectory: false)
    // New files of a copy elsewhere would seem unused beside the store, where other processes see no copy.
    files =
      isBesideStore
      ? ExternalFiles(store: store, isOfWorkingCopy: true)
      : ExternalFiles(store: url, isOfWorkingCopy: true, origin: store)
  }

  deinit {
    release()
  }

  var folder: URL { url.deletingLastPathComponent() }
  var name: String { folder.lastPathComponent }

  /// Creates the folder, and locks it.
  func makeFolder() throws {
    // Another process that finishes a copy, or opens the store, may remove the new folders before the lock.
    for _ in 0..<100 {
      if isBesideStore, mkdir(parent.path, 0o700) != 0, errno != EEXIST { throw Self.failure }
      if isBesideStore, !Self.isFolder(parent) { throw POSIXError(.ENOTDIR) }
      // The folder may still exist when another process has begun to remove it.
      if mkdir(folder.path, 0o700) != 0, errno != EEXIST {
        guard errno == ENOENT else { throw Self.failure }
        continue
      }
      if take() { return }
      usleep(1000)
    }
    throw POSIXError(.ENOENT)
  }

  /// Locks the folder.
  ///
  /// - Returns: False if there is no folder, or another process has locked it.
  func take() -> Bool {
    guard let opened = Self.lock(folder) else { return false }
    descriptor.withLock { $0 = opened }
    // The previous owner of the lock may have removed the folder.
    if exists { return true }
    release()
    return false
  }

  /// Waits for the lock of the folder.
  ///
  /// - Returns: False if the folder does not exist any more.
  /// - Throws: `DatabaseError`, with the reason `busy`, if another process still has the lock at the deadline.
  func take(until deadline: ContinuousClock.Instant) throws -> Bool {
    while exists {
      if take() { return true }
      guard ContinuousClock.now < deadline else {
        throw DatabaseError(
          reason: .busy, message: "another process is replacing the store by the copy \(folder.path)")
      }
      usleep(2000)
    }
    return false
  }

  var exists: Bool { Self.isFolder(folder) }

  /// Whether a file in the folder can only be from this user, the owner of the store, the system's user or the users with
  /// write access to the store. Others may exist in a file system without permissions, or in a copied folder.
  func isPrivate(_ file: URL) -> Bool {
    var ofStore = stat()
    guard stat(store.path, &ofStore) == 0 else { return false }
    let owners = [ofStore.st_uid, geteuid(), 0]
    return [(parent, S_IFDIR), (folder, S_IFDIR), (file, S_IFREG)].allSatisfy { url, type in
      var status = stat()
      guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == type, owners.contains(status.st_uid) else {
        return false
      }
      let writers = status.st_mode & 0o022
      return writers & ~ofStore.st_mode == 0 && (writers & 0o020 == 0 || status.st_gid == ofStore.st_gid)
    }
  }

  /// Whether both the store and its copy are missing: they were moved, or are on a missing disk.
  var isLost: Bool { !exists && !FileManager.default.fileExists(atPath: store.path) }

  /// Whether the file of the copy exists, and is no link.
  var hasFile: Bool {
    var status = stat()
    return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Syncs the closed copy, so that it survives a loss of power.
  func synchronize() throws {
    // If a connection to the copy could not be closed, its log is a part of it.
    for path in [url.path, url.path + "-wal"] {
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      if file < 0, errno == ENOENT, path != url.path { continue }
      guard file >= 0 else { throw Self.failure }
      defer { close(file) }
      try POSIXError.check(fsync(file))
    }
    for folder in [folder, parent, parent.deletingLastPathComponent()] { try ExternalFiles.synchronize(folder) }
  }

  /// - Returns: The descriptor; nil if there is no such folder, or another process has locked it.
  private static func lock(_ folder: URL) -> Int32? {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  private func release() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Unlocks the folder, and leaves it as it is.
  func leave() {
    release()
  }

  /// Renames the folder so that it is not removed automatically. While it exists, the files that the copy names stay.
  ///
  /// - Returns: Its new location.
  func keep() throws -> URL {
    let folder = parent.appendingPathComponent("\(name).kept", isDirectory: true)
    try POSIXError.check(rename(self.folder.path, folder.path))
    return folder
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
    release()
    // A parent with other copies is not removed.
    if isBesideStore { rmdir(parent.path) }
  }

  private static func parent(of store: URL) -> URL {
    let store = store.withoutLinks
    return store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.lastPathComponent).migration", isDirectory: true)
  }

  /// Whether it is a folder, and no link.
  private static func isFolder(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there are copies of a store beside it: copies in use, or copies of programs that have ended.
  static func exist(of store: URL) -> Bool {
    isFolder(parent(of: store))
  }

  /// The copies of a store beside it.
  static func all(of store: URL) -> [WorkingCopy] {
    let parent = parent(of: store)
    guard isFolder(parent) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    return names.filter { UUID(uuidString: $0) != nil }.map { WorkingCopy(of: store, named: $0) }
  }

  /// Removes the copies of programs that have ended.
  static func removeLeftovers(of store: URL) {
    for copy in all(of: store) where copy.take() {
      if CommitRecord.isCommitted(beside: copy) { copy.leave() } else { copy.remove() }
    }
    if exist(of: store) { rmdir(parent(of: store).path) }
  }
}

extension WorkingCopy: StoreCopy {
  var path: String { url.path }
  var file: WorkingCopy? { self }

  func moving(_ configuration: ModelConfiguration) -> ModelConfiguration { configuration.moved(to: url) }

  func prepare() throws {
    if isBesideStore { Self.removeLeftovers(of: store) }
    try makeFolder()
  }

  func discard() {
    if CommitRecord.isCommitted(beside: self) { return leave() }
    files.removeWritten()
    remove()
  }
}
