import Foundation

/// A hidden folder for files that are made for a document. It is locked as long as its process uses it, so that a folder
/// which a process has left behind that ended can be told and removed.
final class ScratchFolder: Sendable {
  let url: URL
  private let descriptor: Int32

  private static let prefix = ".swiftdata-scratch-"

  init(in folder: URL) throws {
    url = folder.appendingPathComponent(Self.prefix + UUID().uuidString, isDirectory: true)
    try POSIXError.check(mkdir(url.path, 0o700))
    descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try POSIXError.check(min(descriptor, 0))
    // Nobody else has it locked but who takes it for a leftover in this moment, and removes it.
    try POSIXError.check(flock(descriptor, LOCK_EX | LOCK_NB))
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  deinit {
    remove()
    close(descriptor)
  }

  /// Removes the folders of processes that have ended.
  static func removeLeftovers(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for found in names where found.hasPrefix(prefix) {
      let url = folder.appendingPathComponent(found, isDirectory: true)
      let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: url) }
    }
  }
}
