package import Foundation

/// A store for changes, copied again for each repetition.
package struct StoreCopy {
  private let original: URL
  private let copy: URL

  init(of original: URL, at copy: URL) {
    self.original = original
    self.copy = copy
  }

  /// Replaces the copy, which must not be open.
  package func make() throws -> URL {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm"] where manager.fileExists(atPath: copy.path + suffix) {
      try manager.removeItem(atPath: copy.path + suffix)
    }
    try manager.copyItem(at: original, to: copy)
    return copy
  }
}
