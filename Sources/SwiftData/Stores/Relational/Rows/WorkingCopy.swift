import Foundation
import Relational
import Support

/// A copy of a store in which it is changed step by step, before all steps take the place of the store together.
///
/// It lies in a folder of its own, which only the owner can enter, and which is locked for as long as the copy is worked
/// on: what programs that ended have left is told by that. Files of external values are not copied: the copy names those
/// of the store. It gets new ones there as well, unless it is only tried out: then they lie beside it.
///
/// Where several stores change together, a `CommitRecord` lies in the folder at last. What has one that counts is no
/// leftover: the copy has to take the place of the store.
final class WorkingCopy: Sendable {
  /// Where the store is, to which no link leads.
  let store: URL
  /// The file of the copy. Nothing is there before the store is copied.
  let url: URL
  let files: ExternalFiles
  /// Has the folders of all copies of the store.
  let parent: URL
  /// Whether `parent` is beside the store, and nobody else's.
  private let isBesideStore: Bool
  /// That of the folder; negative before there is one.
  private let descriptor = Mutex<Int32>(-1)

  /// - Parameters:
  ///   - parent: The folder in which that of the copy is, which never takes the place of the store then; nil for one
  ///     beside the store.
  ///   - name: That of the folder of the copy.
  init(of store: URL, in parent: URL? = nil, named name: String = UUID().uuidString) {
    self.store = store.withoutLinks
    isBesideStore = parent == nil
    self.parent = parent ?? Self.parent(of: store)
    url = self.parent.appendingPathComponent(name, isDirectory: true)
      .appendingPathComponent("copy.store", isDirectory: false)
    // Beside the store, others would take new files for left over, as no copy is there that they could see.
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

  /// Makes the folder, and locks it.
  func makeFolder() throws {
    // Somebody else who is done, or who opens the store, may remove what has been made in between.
    for _ in 0..<100 {
      if isBesideStore, mkdir(parent.path, 0o700) != 0, errno != EEXIST { throw Self.failure }
      if isBesideStore, !Self.isFolder(parent) { throw POSIXError(.ENOTDIR) }
      // It is there where somebody has only begun to remove it.
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
  /// - Returns: False where there is none, or somebody else has locked it.
  func take() -> Bool {
    guard let opened = Self.lock(folder) else { return false }
    descriptor.withLock { $0 = opened }
    // Whoever had it locked may have removed it.
    if exists { return true }
    release()
    return false
  }

  /// Locks the folder, once nobody else has.
  ///
  /// - Returns: False where it is not there any more.
  /// - Throws: `DatabaseError`, with the reason `busy`, when somebody has it still at the deadline.
  func take(until deadline: ContinuousClock.Instant) throws -> Bool {
    while exists {
      if take() { return true }
      guard ContinuousClock.now < deadline else {
        throw DatabaseError(
          reason: .busy, message: "another process is about to put the copy \(folder.path) in the place of the store")
      }
      usleep(2000)
    }
    return false
  }

  var exists: Bool { Self.isFolder(folder) }

  /// Whether nobody can have written a file in the folder but who owns the store, this user, the system's, and those who
  /// may write to the store. There are some where a file system has no permissions, or a copied folder lost its own.
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

  /// Whether nothing is there, neither the store nor its copy: they were moved, or are on a disk that is not there.
  var isLost: Bool { !exists && !FileManager.default.fileExists(atPath: store.path) }

  /// Whether the file of the copy is there, and no link to one.
  var hasFile: Bool {
    var status = stat()
    return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Lets the copy, of which nothing is open, survive a loss of power.
  func synchronize() throws {
    // A log is left where something of the copy could not be closed, and is part of it.
    for path in [url.path, url.path + "-wal"] {
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      if file < 0, errno == ENOENT, path != url.path { continue }
      guard file >= 0 else { throw Self.failure }
      defer { close(file) }
      try POSIXError.check(fsync(file))
    }
    for folder in [folder, parent, parent.deletingLastPathComponent()] { try ExternalFiles.synchronize(folder) }
  }

  /// - Returns: The descriptor; nil where there is no such folder, or somebody else has locked it.
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

  /// Gives the folder up as it is.
  func leave() {
    release()
  }

  /// Puts the folder where nobody takes it for a leftover. As long as it is there, the files that the copy names stay.
  ///
  /// - Returns: Where it is.
  func keep() throws -> URL {
    let place = parent.appendingPathComponent("\(name).kept", isDirectory: true)
    try POSIXError.check(rename(folder.path, place.path))
    return place
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
    release()
    // Others may have a copy of the store as well: a folder with something in it stays.
    if isBesideStore { rmdir(parent.path) }
  }

  private static func parent(of store: URL) -> URL {
    let store = store.withoutLinks
    return store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.lastPathComponent).migration", isDirectory: true)
  }

  /// Whether it is a folder, and no link to one, which may lead anywhere.
  private static func isFolder(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there are copies of a store beside it: those that somebody works on, or those that were left by a program
  /// that ended.
  static func exist(of store: URL) -> Bool {
    isFolder(parent(of: store))
  }

  /// The copies of a store that lie beside it.
  static func all(of store: URL) -> [WorkingCopy] {
    let parent = parent(of: store)
    guard isFolder(parent) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    return names.filter { UUID(uuidString: $0) != nil }.map { WorkingCopy(of: store, named: $0) }
  }

  /// Removes what ended programs have left.
  static func removeLeftovers(of store: URL) {
    for copy in all(of: store) where copy.take() {
      if CommitRecord.isCommitted(beside: copy) { copy.leave() } else { copy.remove() }
    }
    if exist(of: store) { rmdir(parent(of: store).path) }
  }
}
