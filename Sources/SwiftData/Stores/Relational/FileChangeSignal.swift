import FileWatching
import Relational

/// Signals commits to the processes that have the same file open: by its write-ahead log, which exists as long as a connection
/// does.
struct FileChangeSignal: DatabaseSignal {
  private let files: [String]
  private let log: FileSignal

  /// The minimum interval between two signals, or two reads after them. A process that saves all the time also follows other
  /// processes.
  private static let interval = Duration.milliseconds(2)

  init(_ configuration: ModelConfiguration) {
    let file = configuration.url.withoutLinks.path
    files = [file, file + "-wal"]
    log = FileSignal(file: file + "-wal", minimumInterval: Self.interval)
  }

  func ring() {
    log.ring()
  }

  func observe(_ body: @escaping @Sendable () -> Void) throws -> any DatabaseObservation {
    try FileWatcher(files: files, minimumInterval: Self.interval, body)
  }
}

extension FileWatcher: DatabaseObservation {}
