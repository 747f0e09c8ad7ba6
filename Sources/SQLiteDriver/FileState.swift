import Foundation
import Relational

/// The identity of the file at a path.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  fileprivate init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The attributes of a file that change when a process writes to it.
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

/// A path and the identity of the file that was opened there.
struct FileLocation: Sendable {
  let path: String
  let identity: FileIdentity

  init(path: String) throws {
    guard let state = FileState(path: path) else { throw DatabaseError.moved }
    self.path = path
    identity = state.identity
  }

  /// The paths of the journal and the log of a file. SQLite keeps them beside the file itself, not beside a link to it.
  static func companions(of path: String) -> [String] {
    let real = realpath(path, nil)
    defer { free(real) }
    let place = real.map { String(cString: $0) } ?? path
    return [place + "-journal", place + "-wal"]
  }

  /// - Throws: `DatabaseError` when another file is at the path now, or none.
  func check() throws {
    guard FileState(path: path)?.identity == identity else { throw DatabaseError.moved }
  }
}

/// A file that is read without locks, because this process can create neither a log nor its shared memory. Other processes may
/// be able to. If one writes to the file, this type finds out, and the result of the read is discarded.
struct UnlockedFile: Sendable {
  private let path: String
  /// The log, with commits that the database file lacks, and the journal, which exists while the file has uncommitted pages.
  private let logs: [String]
  private let state: FileState

  /// - Returns: nil where there is no file, or where the file is incomplete without its log or journal.
  init?(path: String) {
    guard let state = FileState(path: path) else { return nil }
    self.path = path
    self.state = state
    logs = FileLocation.companions(of: path)
    if hasLog { return nil }
  }

  private var hasLog: Bool { logs.contains { (FileState(path: $0)?.size ?? 0) > 0 } }

  /// Whether the file or its log has a newer state.
  var isOutdated: Bool { hasLog || FileState(path: path) != state }

  /// - Throws: `DatabaseError` when the file itself was written to. While other processes write only to a log, the read still
  ///   sees one state.
  func check() throws {
    guard FileState(path: path) == state else {
      throw DatabaseError(reason: .busy, message: "another process wrote to the file while it was read; read it again")
    }
  }

  /// The URI with which SQLite opens the file without locks.
  var address: String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
  }
}
