import Foundation

/// Tells other processes, and other documents of this one, that a document is open.
final class DocumentLock: Sendable {
  private let files: DocumentFiles
  private let isExclusive: Bool
  private let descriptor: Int32

  /// - Throws: `documentInUse` when the document is open elsewhere, and one of the two has to be the only one.
  init(_ files: DocumentFiles, isExclusive: Bool) throws {
    (self.files, self.isExclusive) = (files, isExclusive)
    while true {
      let opened = open(files.lock.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
      try POSIXError.check(min(opened, 0))
      guard flock(opened, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
        close(opened)
        throw Self.inUse(files)
      }
      // The document that had it locked may have removed it.
      var status = stat()
      if fstat(opened, &status) == 0, FileIdentity(status) == (try? FileIdentity(files.lock.path)) {
        descriptor = opened
        return
      }
      close(opened)
    }
  }

  private static func inUse(_ files: DocumentFiles) -> SwiftDataError {
    SwiftDataError.documentInUse.with(
      message: "\(files.url.path) is open elsewhere.", hint: "Close it there, or open it for shared editing or viewing."
    )
  }

  /// Runs `body` while no other document has the files open for editing.
  func whileAlone(_ body: () throws -> Void) throws {
    defer { if !isExclusive { _ = flock(descriptor, LOCK_SH) } }
    guard isExclusive || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.inUse(files) }
    try body()
  }

  /// Gives the lock back. The last to have it removes its file.
  func release() {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(files.lock.path) }
    _ = flock(descriptor, LOCK_UN)
  }

  deinit {
    close(descriptor)
  }
}
