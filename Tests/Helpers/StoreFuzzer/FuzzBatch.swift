package import Foundation

/// Several cases in sequence in this process, which a trap may end.
package struct FuzzBatch {
  /// The memory limit of a process: a value may be large, and have a few copies.
  private static let memoryLimit = 1 << 30
  /// The time limit of a case: most take less than a second, but the machine may be busy.
  private static let secondLimit: UInt32 = 60

  private let template: StoreTemplate
  private let plain: StoreCatalog
  private let withLog: StoreCatalog
  private let folder: URL
  private let isTracing: Bool

  package init(in folder: URL, isTracing: Bool = true) throws {
    self.folder = folder
    self.isTracing = isTracing
    template = try StoreTemplate(in: folder.appendingPathComponent("template"))
    plain = try StoreCatalog(of: template.copy(to: folder.appendingPathComponent("catalog"), withLog: false))
    let logged = try template.copy(to: folder.appendingPathComponent("catalog"), withLog: true)
    withLog = try StoreCatalog(of: logged)
  }

  package func makeCase(seed: UInt64) -> FuzzCase {
    FuzzCase(seed: seed, plain: plain, withLog: withLog)
  }

  /// Makes the damaged store of a case for inspection.
  package func keep(_ seed: UInt64, in folder: URL) throws {
    _ = try makeCase(seed: seed).make(from: template, in: folder)
  }

  /// Runs cases until `deadline`, reporting the beginning and the end of each. A case that takes too long ends the process.
  package func run(_ seeds: Range<UInt64>, until deadline: Date, report: (FuzzMessage) throws -> Void) throws {
    for seed in seeds where Date() < deadline {
      try report(.began(seed))
      alarm(Self.secondLimit)
      let complaints = try run(seed)
      alarm(0)
      try report(complaints.isEmpty ? .ended(seed) : .found(seed, complaints.joined(separator: "; ")))
      // The value is a maximum, so it says nothing of later cases.
      if residentMemory > Self.memoryLimit {
        try report(.found(seed, "\(residentMemory >> 20) MB of memory"))
        return
      }
    }
  }

  private func run(_ seed: UInt64) throws -> [String] {
    let place = folder.appendingPathComponent("case")
    let store = try makeCase(seed: seed).make(from: template, in: place)
    let exercise = StoreExercise(store, variant: seed, isTracing: isTracing)
    exercise.run()
    try? FileManager.default.removeItem(at: place)
    return exercise.complaints
  }

  /// The maximum for this program. `getrusage` also counts the memory of the parent that started it.
  private var residentMemory: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = Int(line.filter(\.isNumber))
    else { preconditionFailure("The system does not report how much memory is used") }
    return kilobytes << 10
  }
}

/// The output of a process with a batch, one line each.
package enum FuzzMessage {
  case began(UInt64)
  case ended(UInt64)
  case found(UInt64, String)

  package var line: String {
    switch self {
    case .began(let seed): "began \(seed)"
    case .ended(let seed): "ended \(seed)"
    case .found(let seed, let complaint): "found \(seed) \(complaint.replacingOccurrences(of: "\n", with: " "))"
    }
  }

  init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, let seed = UInt64(parts[1]) else { return nil }
    switch parts[0] {
    case "began": self = .began(seed)
    case "ended": self = .ended(seed)
    case "found": self = .found(seed, parts.count > 2 ? String(parts[2]) : "")
    default: return nil
    }
  }
}
