import Foundation

enum StoreLocation {
  /// The folder of stores without a given file.
  static var defaultFolder: URL {
    let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "swiftdata").lastPathComponent
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(fileURLWithPath: data).appendingPathComponent(program)
    }
    let homeFolder =
      environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return
      homeFolder
      .appendingPathComponent(".local/share").appendingPathComponent(program)
  }
}
