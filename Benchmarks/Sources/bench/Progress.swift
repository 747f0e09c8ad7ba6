import Foundation

/// Shows the user the progress of the run.
enum Progress {
  static func show(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
