import Foundation

extension SwiftDataError {
  /// Why a store failed, as ``Details/failureReason`` of a ``storeFailure`` has it.
  ///
  /// These cases need an explanation:
  ///
  /// - `busy`: a lock was not released within ``ModelConfiguration/StoreOptions/busyTimeout``, or another program wrote
  ///   to the file while it was read.
  /// - `constraint`: a row would break a constraint of its table.
  /// - `other`: none of the other reasons applies; the message says more.
  public enum FailureReason: String, Hashable, Sendable {
    case busy, corrupt, notADatabase, diskFull, readOnly, cannotOpen, constraint, other
    /// The store's file was deleted, renamed or replaced while it was open.
    ///
    /// A save would write to a file that cannot be found any more.
    case moved
    /// The container was closed.
    case closed
    /// There is a file already where a backup is to be written.
    case targetExists
  }
}

extension SwiftDataError.FailureReason {
  /// Why the system refused to write or read a file.
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
