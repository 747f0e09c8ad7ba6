import CShims
import Foundation
import Support

/// A file lock that shows other processes, and other documents of this process, that a document is open.
final class DocumentLock: Sendable {
  private let descriptor: Int32
  private let isExclusive: Bool
  private let path: Mutex<String>

  /// - Parameter startsExclusive: Whether the lock is exclusive until `becomeShared`.
  /// - Throws: `documentInUse` when the document is open elsewhere, and one of the two locks is exclusive.
  private init(_ files: DocumentFiles, isExclusive: Bool, startsExclusive: Bool) throws {
    self.isExclusive = isExclusive
    let lockPath = files.lock.path
    path = Mutex(lockPath)
    while true {
      let opened = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
      try POSIXError.check(min(opened, 0))
      guard lockFile(opened, isExclusive || startsExclusive ? exclusiveLock : sharedLock) == 0 else {
        close(opened)
        throw Self.inUse(files)
      }
      // The previous owner of the lock may have removed the file.
      if FileIdentity(descriptor: opened) == (try? FileIdentity(lockPath)) {
        descriptor = opened
        try Self.record(files, opened)
        return
      }
      close(opened)
    }
  }

  /// Locks a document to open it; nil when it is opened for viewing and its folder is read-only.
  static func take(
    _ files: DocumentFiles, for access: PersistentDocument.Access, startsExclusive: Bool
  ) throws -> DocumentLock? {
    do {
      return try DocumentLock(files, isExclusive: access == .exclusiveEditing, startsExclusive: startsExclusive)
    } catch let error as POSIXError where access == .viewing && [.EACCES, .EROFS, .EPERM].contains(error.code) {
      return nil
    }
  }

  /// Records the identity of the store's file, so that no document opens another file at its path while this one is open:
  /// SQLite would apply the log of this file to the other one.
  private static func record(_ files: DocumentFiles, _ descriptor: Int32) throws {
    guard let store = try? FileIdentity(files.store.path) else { return }
    var known = store
    let size = MemoryLayout<FileIdentity>.size
    if pread(descriptor, &known, size, 0) == size, known != store, lockFile(descriptor, exclusiveLock) != 0 {
      throw inUse(files)
    }
    known = store
    pwrite(descriptor, &known, size, 0)
  }

  static func inUse(_ files: DocumentFiles) -> SwiftDataError {
    SwiftDataError.documentInUse.with(
      message: "\(files.url.path) is open elsewhere.", hint: "Close it there, or wait until it is closed.")
  }

  /// Prevents other documents and processes from opening the document until `becomeShared`.
  func becomeExclusive(_ files: DocumentFiles) throws {
    if lockFile(descriptor, exclusiveLock) != 0 { throw Self.inUse(files) }
  }

  func becomeShared(_ files: DocumentFiles) {
    try? Self.record(files, descriptor)
    if !isExclusive { _ = lockFile(descriptor, sharedLock) }
  }

  /// Moves the lock file after its document. The lock file of a package has moved with it.
  func move(to files: DocumentFiles) {
    path.withLock { path in
      rename(path, files.lock.path)
      path = files.lock.path
    }
  }

  /// Releases the lock. The last owner removes the file.
  func release() {
    let path = path.withLock { $0 }
    if lockFile(descriptor, exclusiveLock) == 0, FileIdentity(descriptor: descriptor) == (try? FileIdentity(path)) {
      unlink(path)
    }
    _ = lockFile(descriptor, unlocked)
  }

  deinit {
    close(descriptor)
  }
}
