package import Foundation

/// A store to change, made anew for each repetition.
package struct StoreCopy {
  private let original: URL
  private let copy: URL

  init(of original: URL, at copy: URL) {
    self.original = original
    self.copy = copy
  }

  /// Copies the original in place of the last copy, which nobody may have open any more.
  package func make() throws -> URL {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm"] where manager.fileExists(atPath: copy.path + suffix) {
      try manager.removeItem(atPath: copy.path + suffix)
    }
    try manager.copyItem(at: original, to: copy)
    return copy
  }
}
