import Foundation

extension SwiftDataError {
  /// The reason for the failure of a store: the ``Details/storeFailureReason`` of a ``storeFailure``.
  public enum StoreFailureReason: String, Hashable, Sendable {
    /// A lock was not released within ``ModelConfiguration/StoreOptions/busyTimeout``, or another program wrote to the file
    /// while it was read.
    case busy
    /// The content of the file is damaged.
    case corrupt
    /// The file is not a database.
    case notADatabase
    /// The file system has no space left, or a quota is used up.
    case diskFull
    /// The file, its folder or its volume cannot be written, or the role of a database server may not do it.
    case readOnly
    /// The file cannot be opened or created, or the database server refuses the connection.
    case cannotOpen
    /// A row would break a constraint of its table.
    case constraint
    /// None of the other reasons applies; the message says more.
    case other
    /// The store's file was deleted, renamed or replaced while it was open.
    ///
    /// A save would write to a file that is no longer at the store's URL.
    case moved
    /// The container was closed.
    case closed
    /// The connection to the database server was lost, or the server could not be reached.
    ///
    /// What was not committed is undone. Repeat the call.
    case disconnected
    /// The connection to the database server was lost during the commit of a save or transaction, and the server did not say
    /// within the busy timeout whether it has committed it.
    ///
    /// Fetch what was saved before you repeat the call, which would insert the same models twice.
    case commitUnknown
    /// A file or folder exists at the URL of a backup.
    case targetExists
  }
}

extension SwiftDataError.StoreFailureReason {
  /// The reason for an error of the file system.
  init(ofFile error: any Error) {
    let cause = (error as? CocoaError)?.underlying as? POSIXError ?? error as? POSIXError
    self =
      switch ((error as? CocoaError)?.code, cause?.code) {
      case (.fileWriteOutOfSpace, _), (_, .ENOSPC), (_, .EDQUOT): .diskFull
      case (.fileWriteNoPermission, _), (.fileWriteVolumeReadOnly, _), (_, .EROFS), (_, .EACCES): .readOnly
      default: .other
      }
  }
}
