import Foundation

/// Tells whoever waits how far the run is.
enum Progress {
  static func show(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
