import Foundation
import Relational

extension ConnectionPool {
  /// Opens the database that `configuration` names.
  static func open(_ configuration: SQLiteConfiguration) throws -> ConnectionPool {
    guard case .file(let path) = configuration.location else {
      return try ConnectionPool(path: nil, configuration: configuration)
    }
    try checkPath(path, isReadOnly: configuration.isReadOnly)
    do {
      return try openFile(path, configuration)
    } catch var error as DatabaseError {
      error.message += ", opening \(path)"
      throw error
    }
  }

  private static func openFile(_ path: String, _ configuration: SQLiteConfiguration) throws -> ConnectionPool {
    // SQLite does not take some relative names for files (":memory:"). And readers open later, when the program may have
    // another working directory.
    let name = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    let deadline = ContinuousClock.now + .seconds(configuration.busyTimeout.asWait)
    while true {
      do {
        return try ConnectionPool(path: name, configuration: configuration)
      } catch let error as DatabaseError where error.reason == .busy && ContinuousClock.now < deadline {
        // When two connections switch a new file to the write-ahead log at the same time, SQLite fails one of them without
        // waiting.
        usleep(5000)
      }
    }
  }

  /// Checks for problems that SQLite reports only as "unable to open".
  private static func checkPath(_ path: String, isReadOnly: Bool) throws {
    func cannotOpen(_ message: String) -> DatabaseError {
      DatabaseError(reason: .cannotOpen, message: message)
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw cannotOpen("the path is empty or has a NUL: \"\(path)\"") }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty {
      switch isDirectory(parent) {
      case nil: throw cannotOpen("the folder \(parent) does not exist")
      case false?: throw cannotOpen("\(parent) is a file, not a folder")
      case true?: break
      }
    }
    switch isDirectory(path) {
    case true?: throw cannotOpen("\(path) is a folder")
    case nil where isReadOnly: throw cannotOpen("there is no file at \(path)")
    default: break
    }
    // SQLite would block on a pipe.
    if let special = ([path] + FileLocation.companions(of: path)).first(where: isSpecial) {
      throw cannotOpen("\(special) is not a regular file")
    }
    // SQLite takes a file of one byte for an empty database, and would overwrite it.
    if size(path) == 1 {
      throw DatabaseError(reason: .notADatabase, message: "file is not a database, opening \(path)")
    }
  }

  private static func isDirectory(_ path: String) -> Bool? {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) ? isDirectory.boolValue : nil
  }

  private static func isSpecial(_ path: String) -> Bool {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    guard let type = attributes?[.type] as? FileAttributeType else { return false }
    return ![.typeRegular, .typeDirectory, .typeSymbolicLink].contains(type)
  }

  private static func size(_ path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }
}
