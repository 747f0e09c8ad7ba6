import Foundation

/// The target of a backup: a path at which nothing exists.
///
/// The backup is made in a folder with a unique name, and moved when it is complete. So it never replaces a file that was
/// created meanwhile, and a cleanup after a failure removes only its own files.
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
        .copying, store: store, reason: .cannotOpen, message: "the URL of the copy is not a file URL")
    }
    self.path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// The folder of the target.
  var folder: URL {
    URL(fileURLWithPath: (path as NSString).deletingLastPathComponent, isDirectory: true)
  }

  /// - Throws: `storeFailure` if anything exists at one of the paths, even a dangling link.
  func checkVacancy(of paths: [String]) throws {
    var status = stat()
    guard let taken = paths.first(where: { lstat($0, &status) == 0 }) else { return }
    throw SwiftDataError.storeFailure(
      .copying, store: store, reason: .targetExists, message: "a file or folder exists at \(taken)")
  }

  /// Makes a folder beside the target, because a move is atomic only within one file system.
  ///
  /// - Throws: `storeFailure`.
  func makeStagingFolder() throws -> ScratchFolder {
    try describingFailures {
      ScratchFolder.removeLeftovers(in: folder)
      return try ScratchFolder(in: folder)
    }
  }

  /// Runs `body`, which uses files, and turns its errors into `SwiftDataError.storeFailure`.
  func describingFailures<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError.storeFailure(.copying, store: store, reason: Self.reason(error), file: path, error)
    }
  }

  private static func reason(_ error: any Error) -> SwiftDataError.StoreFailureReason {
    switch (error as? POSIXError)?.code {
    case .EEXIST, .ENOTEMPTY: .targetExists
    case .ENOENT, .ENOTDIR, .ENAMETOOLONG, .ELOOP: .cannotOpen
    case .EPERM: .readOnly
    default: .init(ofFile: error)
    }
  }
}
