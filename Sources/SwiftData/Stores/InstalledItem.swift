import Foundation

/// A file or a folder that was made at one path and moved to another of the same file system, at which nothing was.
struct InstalledItem {
  private let path: String
  private let identity: FileIdentity
  /// What was in a folder, each path before that of the folder which it is in.
  private let contents: [String]

  /// Moves a file.
  ///
  /// - Throws: `POSIXError`, with the code `EEXIST` when there is something at `path`.
  init(file source: String, to path: String) throws {
    self.path = path
    identity = try FileIdentity(source)
    contents = []
    // A further name replaces nothing, as another name may.
    if link(source, path) == 0 {
      unlink(source)
    } else if errno == EEXIST {
      throw POSIXError(.EEXIST)
    } else {
      try Self.replaceOwn(with: source, at: path)
    }
  }

  /// Moves a file where the file system knows one name for each: an empty file takes the path, and is replaced.
  static func replaceOwn(with source: String, at path: String) throws {
    let own = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if own < 0 { try POSIXError.check(own) }
    close(own)
    do {
      try POSIXError.check(rename(source, path))
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Moves a folder with everything in it.
  ///
  /// - Throws: `POSIXError`, with the code `EEXIST` when there is something at `path`, and errors of `FileManager`.
  init(folder source: String, to path: String) throws {
    self.path = path
    identity = try FileIdentity(source)
    contents = try FileManager.default.subpathsOfDirectory(atPath: source).sorted(by: >)
    // Takes the path with an empty folder, which is the one that is replaced.
    try POSIXError.check(mkdir(path, 0o700))
    do {
      try POSIXError.check(rename(source, path))
    } catch {
      rmdir(path)
      throw error
    }
  }

  /// Removes it, but for what others have put into it, or in its place, since.
  func remove() {
    guard (try? FileIdentity(path)) == identity else { return }
    for path in contents.map({ "\(self.path)/\($0)" }) + [path] where unlink(path) != 0 { rmdir(path) }
  }
}

/// Which file or folder there is at a path, and not what is in it.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Nil when nothing is open.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// - Throws: `POSIXError` when nothing is there. A link is there by itself.
  init(_ path: String) throws {
    var status = stat()
    try POSIXError.check(lstat(path, &status))
    self.init(status)
  }
}

extension POSIXError {
  /// - Parameter result: What a call of the system has just returned: zero when it has done what it should.
  static func check(_ result: Int32) throws {
    if result == 0 { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
