import Foundation

/// A file or a folder that was made at one path and moved to another of the same file system, at which nothing was.
struct InstalledItem {
  private let path: String
  private let identity: FileIdentity
  /// The contents of a folder, each path before that of its folder.
  private let contents: [String]

  /// Moves a file.
  ///
  /// - Throws: `POSIXError`, with the code `EEXIST` when there is something at `path`.
  init(file source: String, to path: String) throws {
    self.path = path
    identity = try FileIdentity(source)
    contents = []
    // A hard link never replaces a file, as a renaming may.
    if link(source, path) == 0 {
      unlink(source)
    } else if errno == EEXIST {
      throw POSIXError(.EEXIST)
    } else {
      try Self.replaceOwn(with: source, at: path)
    }
  }

  /// Moves a file in a file system without hard links: an empty file reserves the path, and is replaced.
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
    // An empty folder reserves the path, and is replaced.
    try POSIXError.check(mkdir(path, 0o700))
    do {
      try POSIXError.check(rename(source, path))
    } catch {
      rmdir(path)
      throw error
    }
  }

  /// Removes the item, except for files that others have added or replaced since.
  func remove() {
    guard (try? FileIdentity(path)) == identity else { return }
    for path in contents.map({ "\(self.path)/\($0)" }) + [path] where unlink(path) != 0 { rmdir(path) }
  }
}

/// The identity of a file or folder, regardless of its contents.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Nil if the descriptor is not open.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// - Throws: `POSIXError` if nothing is there. Links are not followed.
  init(_ path: String) throws {
    var status = stat()
    try POSIXError.check(lstat(path, &status))
    self.init(status)
  }
}

extension POSIXError {
  /// - Parameter result: The result of a system call that has just returned: zero for success.
  static func check(_ result: Int32) throws {
    if result == 0 { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
