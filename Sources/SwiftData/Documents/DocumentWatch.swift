import CShims
import FileWatching
import Foundation
import Observation
import Support

/// Detects that another program moves, replaces or deletes the store of an open document.
final class DocumentWatch: Sendable, Observable {
  private let files: DocumentFiles
  /// A descriptor that follows the store when it is moved. It cannot read the file: closing a descriptor that can would
  /// release SQLite's locks on it.
  private let descriptor: Int32
  private let registrar = ObservationRegistrar()
  private let watcher = Mutex<FileWatcher?>(nil)

  init(_ files: DocumentFiles) {
    self.files = files
    descriptor = openPlace(files.store.path)
    // When a folder cannot be watched, the next operation detects the change.
    let opened = try? FileWatcher(
      files: [files.url.path, files.store.path], minimumInterval: .milliseconds(20)
    ) { [weak self] in
      guard let self else { return }
      registrar.withMutation(of: self, keyPath: \.status) {}
    }
    watcher.withLock { $0 = opened }
  }

  deinit {
    close(descriptor)
  }

  func cancel() {
    watcher.withLock { $0.take() }?.cancel()
  }

  var status: PersistentDocument.FileStatus {
    registrar.access(self, keyPath: \.status)
    let opened = FileIdentity(descriptor: descriptor)
    let found = try? FileIdentity(files.store.path)
    if let found, opened == nil || found == opened { return .unchanged }
    // Linux gives the current path of the opened store. Elsewhere, a moved file looks deleted.
    if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"),
      (try? FileIdentity(path)) == opened
    {
      return .moved(to: files.document(ofStore: URL(fileURLWithPath: path, isDirectory: false)))
    }
    return found == nil && !FileManager.default.fileExists(atPath: files.url.path) ? .deleted : .replaced
  }
}
