import Foundation
import StoreFuzzer

/// Damages stores at random and uses them in all ways, for a given time or number of cases.
///
/// Each case has a seed, which repeats it: `store-fuzzer --seed 123 --count 1`.
@main
struct StoreFuzzerTool {
  private var seed = UInt64.random(in: 1...999_999_999)
  private var count = UInt64.max
  private var seconds = 60.0
  private var folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-fuzzer")
  /// Set in a process that runs a batch.
  private var batch: URL?

  static func main() throws {
    guard let tool = StoreFuzzerTool(CommandLine.arguments.dropFirst()) else {
      let usage = """
        usage: store-fuzzer [--seed N] [--seconds N | --count N] [--folder FOLDER]
          --seed     of the first case; each further one has the next
          --seconds  how long to go on (60)
          --count    how many cases to run
          --folder   where damaged stores are made, and kept that end in anything but an error

        """
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    try tool.run()
  }

  private init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    var hasSeconds = false
    while let option = arguments.next() {
      guard let value = arguments.next() else { return nil }
      switch option {
      case "--seed": seed = UInt64(value) ?? seed
      case "--count": count = UInt64(value) ?? count
      case "--seconds":
        seconds = Double(value) ?? seconds
        hasSeconds = true
      case "--folder": folder = URL(fileURLWithPath: value)
      case "--batch": batch = URL(fileURLWithPath: value)
      default: return nil
      }
    }
    if count < .max, !hasSeconds { seconds = 86_400 }
  }

  private func run() throws {
    if let batch {
      let end = count > UInt64.max - seed ? UInt64.max : seed + count
      return try FuzzBatch(in: batch).run(seed..<end, until: Date(timeIntervalSinceNow: seconds)) { message in
        try FileHandle.standardOutput.write(contentsOf: Data("\(message.line)\n".utf8))
      }
    }
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let campaign = FuzzCampaign(executable: executable, folder: folder, keepsFinds: true)
    print("seed \(seed), finds in \(folder.path)")
    let (count, finds) = try campaign.run(seed: seed, count: count, seconds: seconds) { print("\($0)\n") }
    print("\(count) damaged stores, \(finds.count) finds: \(finds.map { "\($0.seed)" }.joined(separator: " "))")
    exit(finds.isEmpty ? 0 : 1)
  }
}
