import Foundation

/// A tool that counts the instructions of a worker's `countedRun`, outside the kernel.
enum InstructionCounter: String, Codable, CaseIterable {
  case perf
  case callgrind

  /// The preferred tool if it works on this machine, or the first working one. Many virtual machines hide the counters from
  /// perf, and valgrind has to be installed.
  ///
  /// - Throws: An error if no tool works.
  static func findWorking(preferring preferred: InstructionCounter?) throws -> InstructionCounter {
    if let preferred, preferred.works { return preferred }
    guard let counter = allCases.first(where: \.works) else {
      throw BenchError("Instructions cannot be counted here: perf has no counters to read, and there is no valgrind.")
    }
    return counter
  }

  var works: Bool {
    switch self {
    case .perf:
      let output = try? Self.output(of: ["perf", "stat", "-e", "instructions:u", "-x,", "true"])
      return output.flatMap(perfCount) != nil
    case .callgrind:
      return (try? Self.output(of: ["valgrind", "--version"])) != nil
    }
  }

  /// The instructions that a worker executes between entering and leaving `countedRun`. Leaves files in `folder`.
  func count(of command: [String], in folder: URL, _ interruption: Interruption) throws -> Int {
    let count =
      switch self {
      case .perf: try countByPerf(command, folder, interruption)
      case .callgrind: try countByCallgrind(command, folder, interruption)
      }
    guard let count else { throw BenchError("\(rawValue) did not report a number of instructions.") }
    return count
  }

  private func countByPerf(_ command: [String], _ folder: URL, _ interruption: Interruption) throws -> Int? {
    let control = try PerfControl(in: folder)
    let perf = ["perf", "stat", "-e", "instructions:u", "-x,", "--delay", "-1", "--control", control.argument]
    return try perfCount(Self.output(of: perf + command, environment: control.environment, interruption))
  }

  private func countByCallgrind(_ command: [String], _ folder: URL, _ interruption: Interruption) throws -> Int? {
    let lines = try Self.callgrindFile(of: command, in: folder, interruption).split(separator: "\n")
    return lines.last { $0.hasPrefix("totals: ") }.flatMap { Int($0.dropFirst("totals: ".count)) }
  }

  /// The output of callgrind for a worker's `countedRun`.
  static func callgrindFile(of command: [String], in folder: URL, _ interruption: Interruption) throws -> String {
    let file = folder.appending(path: "callgrind.out")
    let valgrind = [
      "valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*countedRun*",
      "--callgrind-out-file=\(file.path)",
    ]
    _ = try output(of: valgrind + command, interruption)
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func perfCount(_ output: String) -> Int? {
    let line = output.split(separator: "\n").last { $0.contains("instructions") }
    return line.flatMap { Int($0.prefix { $0 != "," }) }
  }

  /// The output of a program.
  private static func output(
    of command: [String], environment: [String: String] = [:], _ interruption: Interruption? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    // Without a fixed hash seed, dictionaries would differ from run to run.
    let fixed = ["SWIFT_DETERMINISTIC_HASHING": "1"]
    process.environment = ProcessInfo.processInfo.environment.merging(fixed) { $1 }.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    interruption?.watch(process)
    defer { interruption?.forget(process) }
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchError("\(command[0]) failed:\n\(output)") }
    return output
  }
}
