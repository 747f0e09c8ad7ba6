import Foundation
import SoakTestModels
import Testing

@testable import SwiftData
@testable import TestSupport

/// All writers work for `OSD_SOAK_SECONDS`. The seed decides their actions but not the timing, so that two runs with one seed
/// differ. The time limit is for hangs: beside other tests, and with a sanitizer, a run may take minutes.
@Suite("Many writers of one store", .timeLimit(.minutes(14 + TestOptions.soakSeconds / 60)))
struct SoakTests {
  private static let swimmerCount = 50
  /// For the actors that retain all models, as the main context does.
  private static let policies: [MergePolicy] = [.throwOnConflict, .storeWins, .contextWins]

  private let folder: TemporaryFolder
  private var store: URL { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("Fifty actors, four contexts with live models and three processes agree in the end, and leak nothing")
  func soak() async throws {
    let traces = try await keepBusy()
    // Unreferenced objects may stay for up to a minute.
    _ = try await comesTrue(within: .seconds(90)) {
      try !traces.contains(where: \.isThere) && openFiles(of: store).isEmpty
    }
    let left = traces.filter(\.isThere).map(\.name)
    if !left.isEmpty { report("\(left.count) of \(traces.count) are left: \(left.prefix(20))") }
    let open = try openFiles(of: store)
    if !open.isEmpty { report("open files are left: \(open)") }
    let findings = try fileFindings(store)
    if !findings.isEmpty { report("\(findings.prefix(10))") }
  }

  private func report(_ finding: String) {
    Issue.record("OSD_SEED=\(TestOptions.seed): \(finding)")
  }

  private func report(_ findings: [String]) {
    for finding in findings.prefix(5) { report(finding) }
    if findings.count > 5 { report("and \(findings.count - 5) more findings of this kind") }
  }

  private static func seed(_ number: Int) -> UInt64 {
    TestOptions.seed &+ 1000 &* UInt64(number)
  }

  /// Lets all writers work, and compares their models with the store in the end. All writers are released at the end.
  ///
  /// - Returns: The objects that must be released then; nothing when a writer failed.
  private func keepBusy() async throws -> [Trace] {
    let container = try openReefs(at: store)
    try fillReefs(ModelContext(container))
    let processes = try ["undo", "autosave"].enumerated().map { number, mode in
      try SoakProcess(mode, store: store, seed: Self.seed(1000 + number))
    }
    for process in processes where process.line() != "ready" {
      report(try process.complaint() ?? "a process has ended at once")
      return []
    }
    let habits = ReefWriter.Habits(autosaves: true, undoes: true, holdsAll: true, traces: TestOptions.isTracing)
    let desk = await SoakDesk(container, habits, seed: Self.seed(2000))
    let keepers = Self.policies.map { _ in Swimmer(modelContainer: container) }
    let swimmers = (0..<Self.swimmerCount).map { _ in Swimmer(modelContainer: container) }
    let tallies = await work(desk, keepers, swimmers)
    report(tallies.compactMap(\.complaint))
    if tallies.contains(where: { $0.complaint != nil }) { return [] }
    var added = tallies.reduce(0) { $0 + $1.added }
    #expect(added > 0)
    for process in processes {
      guard let line = process.line(), let addedThere = Int(line) else {
        report(try process.complaint() ?? "a process has not reported what it has added")
        return []
      }
      added += addedThere
    }
    // All writers are done.
    let stored = try StoredReefs(at: store)
    for process in processes { try process.noteEnd() }
    report(stored.statement.flaws)
    if stored.statement.level != added {
      let here = tallies.map(\.description).joined(separator: "\n  ")
      report("the tides have \(stored.statement.level), and \(added) was added, here by\n  \(here)")
    }
    report(await findings(against: stored, desk, keepers + swimmers))
    report(try processes.compactMap { try $0.complaint() })
    #expect(try !openFiles(of: store).isEmpty)
    var traces = [Trace("the container", container), Trace("the store", container.stores[0] as AnyObject)]
    traces += await desk.traces()
    for swimmer in keepers + swimmers { traces += await swimmer.traces() }
    return traces
  }

  private func work(
    _ desk: SoakDesk, _ keepers: [Swimmer], _ swimmers: [Swimmer]
  ) async -> [ReefWriter.Tally] {
    let end = Date(timeIntervalSinceNow: Double(TestOptions.soakSeconds))
    let traces = TestOptions.isTracing
    return await withTaskGroup(of: ReefWriter.Tally.self) { group in
      group.addTask { await desk.work(until: end) }
      for (number, keeper) in keepers.enumerated() {
        let habits = ReefWriter.Habits(holdsAll: true, mergePolicy: Self.policies[number], traces: traces)
        let name = "keeper \(Self.policies[number])"
        group.addTask { await keeper.work(name, habits, seed: Self.seed(3000 + number), until: end) }
      }
      for (number, swimmer) in swimmers.enumerated() {
        let (name, seed) = ("swimmer \(number)", Self.seed(number))
        let habits = ReefWriter.Habits(autosaves: number % 5 == 1, traces: traces)
        group.addTask {
          if number % 5 == 0 { return await swimmer.perform(name, habits, seed: seed, until: end) }
          return await swimmer.work(name, habits, seed: seed, until: end)
        }
      }
      var tallies: [ReefWriter.Tally] = []
      for await tally in group { tallies.append(tally) }
      return tallies
    }
  }

  /// Differences between the writers' models and the store.
  private func findings(against stored: StoredReefs, _ desk: SoakDesk, _ swimmers: [Swimmer]) async -> [String] {
    let limit = Date(timeIntervalSinceNow: 30)
    var findings: [String] = []
    if let finding = await desk.finding(against: stored, until: limit) { findings.append(finding) }
    for swimmer in swimmers {
      if let finding = await swimmer.finding(against: stored, until: limit) { findings.append(finding) }
    }
    return findings
  }
}
