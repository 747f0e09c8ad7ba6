import Foundation
import Relational

extension DatabaseError {
  /// Why a file beside the database could not be written or read.
  static func file(_ file: String, _ error: any Error) -> DatabaseError {
    let cause = (error as? CocoaError)?.underlying as? POSIXError ?? error as? POSIXError
    let reason: DatabaseError.Reason =
      switch ((error as? CocoaError)?.code, cause?.code) {
      case (.fileWriteOutOfSpace, _), (_, .ENOSPC), (_, .EDQUOT): .diskFull
      case (.fileWriteNoPermission, _), (.fileWriteVolumeReadOnly, _), (_, .EROFS), (_, .EACCES): .readOnly
      default: .other
      }
    return DatabaseError(reason: reason, message: "\(file) cannot be used: \(error)")
  }
}
