package import Foundation

/// Some cases one after the other in this process, which a trap may end.
package struct FuzzBatch {
  /// What a process may have in memory at most: a value may be large, and a few copies of it.
  private static let memoryLimit = 1 << 30
  /// How long a case may take: most take less than a second, but a machine may have much else to do.
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

  /// Makes the damaged store of a case, for somebody to look at.
  package func keep(_ seed: UInt64, in folder: URL) throws {
    _ = try makeCase(seed: seed).make(from: template, in: folder)
  }

  /// Runs cases until `deadline`, telling of each when it begins and when it ends. One that takes too long ends the
  /// process.
  package func run(_ seeds: Range<UInt64>, until deadline: Date, tell: (FuzzMessage) throws -> Void) throws {
    for seed in seeds where Date() < deadline {
      try tell(.began(seed))
      alarm(Self.secondLimit)
      let complaints = try run(seed)
      alarm(0)
      try tell(complaints.isEmpty ? .ended(seed) : .found(seed, complaints.joined(separator: "; ")))
      // The largest that it ever was, so nothing can be said of later cases.
      if residentMemory > Self.memoryLimit {
        try tell(.found(seed, "\(residentMemory >> 20) MB of memory"))
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

  /// The most that this program ever had. `getrusage` also counts what the one had that started it.
  private var residentMemory: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = Int(line.filter(\.isNumber))
    else { preconditionFailure("The system does not tell how much memory is used") }
    return kilobytes << 10
  }
}

/// What a process with a batch says, one line each.
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
