#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileWatcher {
  /// The reason why files cannot be watched.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// The operation that the system refused.
    package enum Attempt: Hashable, Sendable {
      case openingInotify
      case openingPipe
      case startingThread
      case watchingFolder(String)
    }

    package let attempt: Attempt
    /// The system's reason, a value of `errno`.
    package let errorNumber: Int32

    package var description: String {
      let action =
        switch attempt {
        case .openingInotify: "opening an inotify instance"
        case .openingPipe: "opening a pipe for waking the watching thread"
        case .startingThread: "starting the watching thread"
        case .watchingFolder(let path): "watching the folder \"\(path)\""
        }
      let reason = strerror(errorNumber).map { String(cString: $0) } ?? "unknown error"
      return "Failed at \(action): \(reason) (errno \(errorNumber))"
    }

    /// Whether only file events are unavailable, so that polling still works.
    var leavesPolling: Bool { [EMFILE, ENOSPC, ENOSYS].contains(errorNumber) }
  }
}
