package import Foundation

/// Runs batches in processes of their own, and records which case ended a process.
package struct FuzzCampaign {
  package struct Find: CustomStringConvertible {
    package let seed: UInt64
    package let complaint: String
    /// The damage, and the last output of the process.
    package let details: String

    package var description: String {
      "\(details)\n  \(complaint)"
    }
  }

  private let executable: URL
  private let folder: URL
  private let keepsFinds: Bool
  private static let batchSize: UInt64 = 200

  /// - Parameters:
  ///   - executable: The fuzzer's program.
  ///   - folder: Where damaged stores are made. Finds stay there if `keepsFinds` is true.
  package init(executable: URL, folder: URL, keepsFinds: Bool) {
    self.executable = executable
    self.folder = folder
    self.keepsFinds = keepsFinds
  }

  /// Runs cases whose seeds begin with `seed`.
  ///
  /// - Returns: The number of cases, and the failures.
  package func run(
    seed first: UInt64, count: UInt64 = .max, seconds: Double, found: (Find) -> Void = { _ in }
  ) throws -> (count: UInt64, finds: [Find]) {
    let deadline = Date(timeIntervalSinceNow: seconds)
    let end = count > UInt64.max - first ? UInt64.max : first + count
    var next = first
    var finds: [Find] = []
    while next < end, Date() < deadline {
      let batch = next..<min(end, next + Self.batchSize)
      let (last, failures) = try runBatch(batch, until: deadline)
      for (seed, complaint, log) in failures {
        let find = try describe(seed, complaint, log)
        finds.append(find)
        found(find)
      }
      guard let last else { break }
      next = last + 1
    }
    return (next - first, finds)
  }

  private typealias Failure = (seed: UInt64, complaint: String, log: String)

  private func runBatch(_ seeds: Range<UInt64>, until deadline: Date) throws -> (last: UInt64?, [Failure]) {
    let place = folder.appendingPathComponent("batch")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let log = folder.appendingPathComponent("batch.log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let errors = try FileHandle(forWritingTo: log)
    defer { try? errors.close() }
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = [
      "--batch", place.path, "--seed", "\(seeds.lowerBound)", "--count", "\(seeds.count)", "--seconds",
      "\(max(0.1, deadline.timeIntervalSinceNow))",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,limit=40,images=none,threads=crashed"
    ]) { _, new in new }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try output.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    var failures: [Failure] = []
    var last: UInt64?
    var open: UInt64?
    let said = String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
    for message in text.split(separator: "\n").compactMap(FuzzMessage.init) {
      switch message {
      case .began(let seed): (last, open) = (seed, seed)
      case .ended: open = nil
      case .found(let seed, let complaint):
        open = nil
        failures.append((seed, complaint, ""))
      }
    }
    let isSignal = process.terminationReason == .uncaughtSignal
    if let open {
      let isHang = isSignal && process.terminationStatus == SIGALRM
      failures.append((open, isHang ? "took too long" : "ended the process (\(process.terminationStatus))", said))
    } else if isSignal || process.terminationStatus != 0 {
      failures.append((seeds.lowerBound, "the batch failed (\(process.terminationStatus))", said))
      last = nil
    }
    return (last, failures)
  }

  private func describe(_ seed: UInt64, _ complaint: String, _ log: String) throws -> Find {
    let batch = try FuzzBatch(in: folder.appendingPathComponent("batch"))
    let place = folder.appendingPathComponent("find \(seed)")
    let said = log.split(separator: "\n").suffix(70).joined(separator: "\n")
    let find = Find(
      seed: seed, complaint: complaint,
      details: batch.makeCase(seed: seed).description + (said.isEmpty ? "" : "\n\(said)"))
    if keepsFinds {
      try batch.keep(seed, in: place)
      try Data("\(find)\n\(log.suffix(20_000))".utf8).write(to: place.appendingPathComponent("find.txt"))
    }
    return find
  }
}
