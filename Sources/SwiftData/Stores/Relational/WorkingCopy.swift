import Foundation

/// A copy of a store in which it is changed step by step, before all steps take the place of the store together.
///
/// It lies in a folder of its own beside the store, which only the owner can enter. Files of external values are not copied:
/// the copy names those of the store, and gets new ones there.
final class WorkingCopy: Sendable {
  /// The file of the copy. Nothing is there before the store is copied.
  let url: URL
  let files: ExternalFiles
  /// Has the folders of all copies of the store.
  private let parent: URL

  /// - Parameter parent: The folder in which that of the copy is; nil for one beside the store.
  init(of store: URL, in parent: URL? = nil) {
    self.parent = parent ?? Self.parent(of: store)
    url = self.parent.appendingPathComponent(UUID().uuidString, isDirectory: true)
      .appendingPathComponent(store.lastPathComponent, isDirectory: false)
    files = ExternalFiles(store: store, isOfWorkingCopy: true)
  }

  /// Makes the folder. Beside the store, who does so keeps others from writing to it.
  func makeFolder() throws {
    let folder = url.deletingLastPathComponent().path
    // Somebody else who is done may remove what is around it in between.
    for _ in 0..<100 {
      mkdir(parent.path, 0o700)
      if mkdir(folder, 0o700) == 0 { return }
      if errno != ENOENT { break }
    }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    // Others may have a copy of the store as well: a folder with something in it stays.
    if parent.lastPathComponent.hasSuffix(Self.suffix) { rmdir(parent.path) }
  }

  private static let suffix = ".migration"

  private static func parent(of store: URL) -> URL {
    let store = store.withoutLinks
    return store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.lastPathComponent)\(suffix)", isDirectory: true)
  }

  /// Whether there are copies of a store: those that somebody works on, or those that were left by a program that ended.
  static func exist(of store: URL) -> Bool {
    access(parent(of: store).path, F_OK) == 0
  }

  /// Removes what ended programs have left. Called by who keeps others from writing to the store: nobody works on a copy
  /// then.
  static func removeLeftovers(of store: URL, but own: WorkingCopy? = nil) {
    let parent = parent(of: store)
    let kept = own?.url.deletingLastPathComponent().lastPathComponent
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] where name != kept {
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
    if own == nil { rmdir(parent.path) }
  }
}
