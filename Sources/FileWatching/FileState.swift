#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The attributes that distinguish the contents of a file without reading it.
struct FileState: Sendable {
  /// Distinguishes the file and its content from others. Nil when there is no file.
  private var identity: Identity?
  /// Whether a later write could leave all attributes unchanged.
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

  /// Systems stamp a file with the time of their last clock tick, usually of 1 to 10 milliseconds. Two writes within one tick
  /// have the same time, and a check between them cannot detect the second.
  private static let coarsestTimestamp = Duration.milliseconds(100)

  /// Whether the file may have been written between this state and a later one.
  func mayDiffer(from later: FileState) -> Bool {
    isJustWritten || identity != later.identity
  }
}

extension Duration {
  fileprivate init(_ time: timespec) {
    self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
