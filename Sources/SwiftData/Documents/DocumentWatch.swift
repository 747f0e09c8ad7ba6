import CShims
import FileWatching
import Foundation
import Observation
import Support

/// Finds out when the file of an open document is moved, replaced or deleted by somebody else.
final class DocumentWatch: Sendable, Observable {
  private let url: URL
  /// The document itself, wherever it goes. It is only looked at: closing a descriptor that could read the file would end
  /// SQLite's locks on it.
  private let descriptor: Int32
  private let identity: FileIdentity?
  private let registrar = ObservationRegistrar()
  private let watcher = Mutex<FileWatcher?>(nil)

  init(_ url: URL) {
    self.url = url
    descriptor = openPlace(url.path)
    var status = stat()
    identity = fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    // Where the folder cannot be watched, the next save finds out.
    let opened = try? FileWatcher(files: [url.path], minimumInterval: .milliseconds(20)) { [weak self] in
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
    var status = stat()
    let isThere = stat(url.path, &status) == 0
    if isThere, identity == nil || FileIdentity(status) == identity { return .unchanged }
    // Linux says where the document is that was opened. Elsewhere, what was moved looks deleted.
    if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"),
      stat(path, &status) == 0, FileIdentity(status) == identity
    {
      return .moved(to: URL(fileURLWithPath: path, isDirectory: false))
    }
    return isThere ? .replaced : .deleted
  }
}
