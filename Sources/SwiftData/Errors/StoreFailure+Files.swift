import Foundation

extension StoreFailure {
  /// Why a file other than the database could not be read or written.
  init(operation: Operation, store: String, file: String, _ error: any Error) {
    self.init(operation: operation, store: store, reason: Reason(ofFile: error), message: Self.message(file, error))
  }

  /// The message for such a file.
  static func message(_ file: String, _ error: any Error) -> String {
    "\(file) cannot be used: \(error)"
  }
}

extension StoreFailure.Reason {
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
