#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a look at a file shows of its content without reading it.
struct FileState: Sendable {
  /// What tells one file with one content from another. Nil when there is no file.
  private var identity: Identity?
  /// Whether a later write could leave everything as it is seen here.
  private var isJustWritten = false

  private struct Identity: Equatable {
    var device: UInt64
    var number: UInt64
    var size: Int64
    var modification: Duration
  }

  init(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    #if canImport(Darwin)
      let modification = Duration(status.st_mtimespec)
    #else
      let modification = Duration(status.st_mtim)
    #endif
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino),
      size: Int64(status.st_size), modification: modification)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Duration(now) - modification
    isJustWritten = age < Self.coarsestTimestamp && age > .zero - Self.coarsestTimestamp
  }

  /// Systems stamp a file with the time of their last tick, mostly of 1 to 10 milliseconds. Two writes within one have the
  /// same time, and a look between them cannot see the second.
  private static let coarsestTimestamp = Duration.milliseconds(100)

  /// Whether the file may have been written between this look and a later one.
  func mayDiffer(from later: FileState) -> Bool {
    isJustWritten || identity != later.identity
  }
}

extension Duration {
  fileprivate init(_ time: timespec) {
    self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
