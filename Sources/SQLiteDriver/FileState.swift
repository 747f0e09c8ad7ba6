import Foundation
import Relational

/// Which file a path leads to.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  fileprivate init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// What changes about a file when somebody writes to it.
struct FileState: Equatable, Sendable {
  let identity: FileIdentity
  let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: nil where there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let modification = status.st_mtimespec
    #else
      let modification = status.st_mtim
    #endif
    seconds = Int(modification.tv_sec)
    nanoseconds = Int(modification.tv_nsec)
  }
}

/// A path and the file that it led to when that was opened.
struct FileLocation: Sendable {
  let path: String
  let identity: FileIdentity

  init(path: String) throws {
    guard let state = FileState(path: path) else { throw DatabaseError.moved }
    self.path = path
    identity = state.identity
  }

  /// The journal and the log of a file. SQLite keeps them beside the file itself, wherever a link to that is.
  static func companions(of path: String) -> [String] {
    let real = realpath(path, nil)
    defer { free(real) }
    let place = real.map { String(cString: $0) } ?? path
    return [place + "-journal", place + "-wal"]
  }

  /// - Throws: `DatabaseError` when the path leads to another file now, or to none.
  func check() throws {
    guard FileState(path: path)?.identity == identity else { throw DatabaseError.moved }
  }
}

/// A file that is read without locks, because this process can make neither a log nor the shared memory that belongs to
/// one. Other processes may be able to. If one writes to the file, this type finds out, and what was read is not used.
struct UnlockedFile: Sendable {
  private let path: String
  /// The files in which SQLite keeps what the database file lacks of its last state, and what it has of a state that
  /// was never committed.
  private let logs: [String]
  private let state: FileState

  /// - Returns: nil where there is no file, or a log or a journal without which it is not whole.
  init?(path: String) {
    guard let state = FileState(path: path) else { return nil }
    self.path = path
    self.state = state
    logs = FileLocation.companions(of: path)
    if hasLog { return nil }
  }

  private var hasLog: Bool { logs.contains { (FileState(path: $0)?.size ?? 0) > 0 } }

  /// Whether there is a newer state of the file, or of the log that it has now.
  var isOutdated: Bool { hasLog || FileState(path: path) != state }

  /// - Throws: `DatabaseError` when the file itself was written to. As long as others write to a log alone, what is
  ///   read is one state still.
  func check() throws {
    guard FileState(path: path) == state else {
      throw DatabaseError(reason: .busy, message: "another process wrote to the file while it was read; read it again")
    }
  }

  /// The address under which SQLite opens the file without locks.
  var address: String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
  }
}
