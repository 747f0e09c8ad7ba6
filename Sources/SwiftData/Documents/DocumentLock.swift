import CShims
import Foundation
import Support

/// Tells other processes, and other documents of this one, that a document is open.
final class DocumentLock: Sendable {
  private let descriptor: Int32
  private let isExclusive: Bool
  private let path: Mutex<String>

  /// - Parameter isAlone: Whether the document must be open nowhere else.
  /// - Throws: `documentInUse` when it is open elsewhere, and one of the two has to be the only one.
  private init(_ files: DocumentFiles, isExclusive: Bool, isAlone: Bool) throws {
    self.isExclusive = isExclusive
    let place = files.lock.path
    path = Mutex(place)
    while true {
      let opened = open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
      try POSIXError.check(min(opened, 0))
      guard lockFile(opened, isExclusive || isAlone ? exclusiveLock : sharedLock) == 0 else {
        close(opened)
        throw Self.inUse(files)
      }
      // The document that had it locked may have removed it.
      if FileIdentity(descriptor: opened) == (try? FileIdentity(place)) {
        descriptor = opened
        try Self.record(files, opened)
        return
      }
      close(opened)
    }
  }

  /// The lock of a document that is being opened; nil when it is viewed, and its folder cannot be written to.
  static func take(
    _ files: DocumentFiles, for access: PersistentDocument.Access, isAlone: Bool
  ) throws -> DocumentLock? {
    do {
      return try DocumentLock(files, isExclusive: access == .exclusiveEditing, isAlone: isAlone)
    } catch let error as POSIXError where access == .viewing && [.EACCES, .EROFS, .EPERM].contains(error.code) {
      return nil
    }
  }

  /// Records which file the store is, so that no document opens another one at its path while this one is open: SQLite would
  /// take the log of this one for that of the other.
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

  /// Keeps others from opening the document until `becomeShared`.
  func becomeExclusive(_ files: DocumentFiles) throws {
    if lockFile(descriptor, exclusiveLock) != 0 { throw Self.inUse(files) }
  }

  func becomeShared(_ files: DocumentFiles) {
    try? Self.record(files, descriptor)
    if !isExclusive { _ = lockFile(descriptor, sharedLock) }
  }

  /// Follows a document that was moved, with which the lock of a package has gone.
  func move(to files: DocumentFiles) {
    path.withLock { path in
      rename(path, files.lock.path)
      path = files.lock.path
    }
  }

  /// Gives the lock back. The last to have it removes its file.
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
