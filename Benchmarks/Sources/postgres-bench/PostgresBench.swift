import Foundation
import LibpqPeer
import Workload

@main
struct PostgresBench {
  static func main() {
    do {
      try start(Options(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("postgres-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func start(_ options: Options) throws {
    if options.showsHelp { return print(Options.usage) }
    guard let url = ProcessInfo.processInfo.environment["OSD_POSTGRES_URL"] else {
      throw Failure("OSD_POSTGRES_URL is not set; ./scripts/bench --postgres starts a server.")
    }
    try print("\(Inspection(url, namespace: "public").server()), \(options.rounds) rounds, load \(load)\n")
    if options.testsLargeStore {
      try LargeRun(url: url, itemCount: options.rows)()
    } else {
      try ComparisonRun(url: url, options: options)()
    }
    print("\nload at the end: \(load)")
  }

  /// The load of the machine in the last minute: medians of a busy one say little.
  private static var load: String {
    var average = 0.0
    return getloadavg(&average, 1) == 1 ? String(format: "%.1f", average) : "unknown"
  }
}
