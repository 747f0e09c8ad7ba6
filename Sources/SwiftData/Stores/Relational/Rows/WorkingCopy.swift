import Foundation
import Support

/// A copy of a store in which it is changed step by step, before all steps take the place of the store together.
///
/// It lies in a folder of its own, which only the owner can enter, and which is locked for as long as the copy is worked
/// on: what programs that ended have left is told by that. Files of external values are not copied: the copy names those
/// of the store. It gets new ones there as well, unless it is only tried out: then they lie beside it.
final class WorkingCopy: Sendable {
  /// The file of the copy. Nothing is there before the store is copied.
  let url: URL
  let files: ExternalFiles
  /// Has the folders of all copies of the store.
  private let parent: URL
  /// Whether `parent` is beside the store, and nobody else's.
  private let isBesideStore: Bool
  /// That of the folder; negative before there is one.
  private let descriptor = Mutex<Int32>(-1)

  /// - Parameter parent: The folder in which that of the copy is, which never takes the place of the store then; nil for
  ///   one beside the store.
  init(of store: URL, in parent: URL? = nil) {
    isBesideStore = parent == nil
    self.parent = parent ?? Self.parent(of: store)
    url = self.parent.appendingPathComponent(UUID().uuidString, isDirectory: true)
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

  private var folder: URL { url.deletingLastPathComponent() }

  /// Makes the folder, and locks it.
  func makeFolder() throws {
    // Somebody else who is done, or who opens the store, may remove what has been made in between.
    for _ in 0..<100 {
      if isBesideStore, mkdir(parent.path, 0o700) != 0, errno != EEXIST { throw Self.failure }
      if isBesideStore, !Self.isFolder(parent) { throw POSIXError(.ENOTDIR) }
      if mkdir(folder.path, 0o700) != 0 {
        guard errno == ENOENT else { throw Self.failure }
        continue
      }
      guard let opened = Self.lock(folder) else { continue }
      descriptor.withLock { $0 = opened }
      if Self.isFolder(folder) { return }
      release()
    }
    throw POSIXError(.ENOENT)
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

  /// Removes what ended programs have left.
  static func removeLeftovers(of store: URL) {
    let parent = parent(of: store)
    guard isFolder(parent) else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    where UUID(uuidString: name) != nil {
      let folder = parent.appendingPathComponent(name, isDirectory: true)
      guard let descriptor = lock(folder) else { continue }
      try? FileManager.default.removeItem(at: folder)
      close(descriptor)
    }
    rmdir(parent.path)
  }
}
