import Relational

extension DatabaseError {
  /// The error of a file beside the database.
  static func file(_ file: String, _ error: any Error) -> DatabaseError {
    let reason: DatabaseError.Reason =
      switch SwiftDataError.StoreFailureReason(ofFile: error) {
      case .diskFull: .diskFull
      case .readOnly: .readOnly
      default: .other
      }
    return DatabaseError(reason: reason, message: ErrorText.unusableFile(file, error))
  }
}
