import CShims
import Foundation

/// A hidden folder for temporary files. It is locked while a process uses it, so that the folders of ended processes can
/// be recognized and removed.
final class ScratchFolder: Sendable {
  let url: URL
  private let descriptor: Int32

  private static let prefix = ".swiftdata-scratch-"

  init(in folder: URL) throws {
    while true {
      let url = folder.appendingPathComponent(Self.prefix + UUID().uuidString, isDirectory: true)
      try POSIXError.check(mkdir(url.path, 0o700))
      let opened = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      let isLocked = opened >= 0 && flock(opened, LOCK_EX | LOCK_NB) == 0
      let failure = errno
      if isLocked, FileIdentity(descriptor: opened) == (try? FileIdentity(url.path)) {
        (self.url, descriptor) = (url, opened)
        return
      }
      if opened >= 0 { close(opened) }
      // Another process may have removed it as a leftover before it was locked.
      guard isLocked || [ENOENT, EWOULDBLOCK].contains(failure) else {
        rmdir(url.path)
        throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO)
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    close(descriptor)
  }

  /// Removes the folders of processes that have ended.
  static func removeLeftovers(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let url = folder.appendingPathComponent(name, isDirectory: true)
      let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: url) }
    }
  }
}
