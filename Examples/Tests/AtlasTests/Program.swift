import Foundation

/// A program that tests run: a built executable of this package, or a script.
struct Program {
  let url: URL

  static let atlas = Program(url: buildFolder.appending(path: "atlas"))
  static let notes = Program(url: buildFolder.appending(path: "notes"))
  static let readmeExample = Program(url: buildFolder.appending(path: "readme-example"))

  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program to its end, with no input.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    // Files, because the program would block on a full pipe.
    let folder = try TemporaryFolder()
    let output = folder.url.appending(path: "output")
    let errors = folder.url.appending(path: "errors")
    try Data().write(to: output)
    try Data().write(to: errors)

    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  /// Where SwiftPM puts executables: beside the test bundle, which on Linux is the running program.
  private static var buildFolder: URL {
    let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }
}
