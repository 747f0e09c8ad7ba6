import Foundation

/// Where a backup goes: a path at which nothing may be.
///
/// What is to be there is made in a folder of a name that nothing else has, and moved when it is whole. So it replaces
/// nothing that comes to the path meanwhile, and what has to be removed after a failure is nobody else's.
struct BackupTarget {
  let path: String
  /// The name of a configuration, for errors.
  private let store: String

  /// - Throws: `storeFailure` when the URL is not one of a file.
  init(_ url: URL, store: String) throws {
    self.store = store
    let path = url.isFileURL ? url.path : ""
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SwiftDataError.storeFailure(
        .copying, store: store, reason: .cannotOpen, message: "the URL of the copy is not one of a file")
    }
    self.path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// The folder in which the copy will be.
  var folder: URL {
    URL(fileURLWithPath: (path as NSString).deletingLastPathComponent, isDirectory: true)
  }

  /// - Throws: `storeFailure` when there is something at one of some paths, be it a link that leads nowhere.
  func checkVacancy(of paths: [String]) throws {
    var status = stat()
    guard let taken = paths.first(where: { lstat($0, &status) == 0 }) else { return }
    throw SwiftDataError.storeFailure(
      .copying, store: store, reason: .targetExists, message: "there is something at \(taken) already")
  }

  /// Makes a folder beside the target, as something is moved at once only where that is in the same file system.
  ///
  /// - Throws: `storeFailure`.
  func makeStagingFolder() throws -> ScratchFolder {
    try describingFailures {
      ScratchFolder.removeLeftovers(in: folder)
      return try ScratchFolder(in: folder)
    }
  }

  /// Runs `body`, which uses files, and says in a `storeFailure` why it fails.
  func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError.storeFailure(.copying, store: store, reason: Self.reason(error), file: path, error)
    }
  }

  private static func reason(_ error: any Error) -> SwiftDataError.FailureReason {
    switch (error as? POSIXError)?.code {
    case .EEXIST, .ENOTEMPTY: .targetExists
    case .ENOENT, .ENOTDIR, .ENAMETOOLONG, .ELOOP: .cannotOpen
    case .EPERM: .readOnly
    default: .init(ofFile: error)
    }
  }
}
