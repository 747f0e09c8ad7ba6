import Foundation
import GRDBPeer
import SwiftDataPeer
import Timing
import Workload

@main
struct Bench {
  static func main() {
    do {
      try start(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func start(_ arguments: ArraySlice<String>) throws {
    if arguments.first == WorkerProcess.flag {
      return try work(Array(arguments.dropFirst()))
    }
    let options = try Options(arguments)
    if options.showsHelp {
      return print(Options.usage)
    }
    if options.testsScale {
      return try inTemporaryFolder { folder, interruption in
        let run = ScaleRun(isQuick: options.isQuick, folder: folder, interruption: interruption)
        try print(ScaleTable(results: run()).text)
      }
    }
    if options.comparesWithBaseline {
      return try inTemporaryFolder { folder, interruption in
        try BaselineRun(options: options, folder: folder, interruption: interruption)()
      }
    }
    if options.checksGate {
      return try inTemporaryFolder { try GateRun(folder: $0, interruption: $1)() }
    }
    if options.showsProfile {
      return try inTemporaryFolder { folder, interruption in
        try ProfileRun(options: options, folder: folder, interruption: interruption)()
      }
    }
    if options.measuresLatency {
      return try inTemporaryFolder { try LatencyRun(options: options, folder: $0, interruption: $1)() }
    }
    if options.measuresIdleness {
      return try inTemporaryFolder { try IdleRun(options: options, folder: $0, interruption: $1)() }
    }
    if options.measuresGrowth { return try GrowthRun(options: options)() }
    let liveCases = LiveCase.allCases.filter(options.includes)
    if options.measuresLiveResults {
      guard !liveCases.isEmpty else { throw BenchError("Nothing has that name; --list shows the names.") }
      return try inTemporaryFolder { folder, interruption in
        try measure(LiveRun(options: options, cases: liveCases, folder: folder, interruption: interruption), options)
      }
    }
    let peers = allPeers.filter { options.includes(peer: $0.name) }
    let historyPeers = peersByHistory.filter { options.includes(peer: $0.name) }
    let measuresLibrary = peers.contains { $0 == OpenSwiftData.self }
    let subjects = Subject.allCases.filter { subject in
      guard options.includes(subject) else { return false }
      if subject.isFigure { return measuresLibrary }
      return subject.isAboutHistory ? !historyPeers.isEmpty : !peers.isEmpty
    }
    if options.listsOnly {
      for subject in subjects { print(subject.name) }
      for subject in liveCases.flatMap(\.subjects) { print(subject.fullName) }
      let names = (knownPeers.map { $0.name } + [LiveObservations.name]).filter(options.includes(peer:))
      return print("\nPeers: " + names.map { "\"\($0)\"" }.joined(separator: ", "))
    }
    guard !subjects.isEmpty || !liveCases.isEmpty else {
      throw BenchError("Nothing has that name; --list shows the names.")
    }
    try inTemporaryFolder { folder, interruption in
      let run = Run(
        peers: peers, historyPeers: historyPeers, subjects: subjects, effort: options.isQuick ? .quick : .full,
        folder: folder, interruption: interruption)
      let live = LiveRun(options: options, cases: liveCases, folder: folder, interruption: interruption)
      try measure(run, live, options)
    }
  }

  private static func work(_ arguments: [String]) throws {
    guard arguments.count == 2 else { throw BenchError("A worker needs an assignment and a file for the answer.") }
    let assignment = try JSONDecoder().decode(Assignment.self, from: Data(arguments[0].utf8))
    try Worker(assignment).run(answeringTo: URL(filePath: arguments[1]))
  }

  private static func inTemporaryFolder(_ body: (StoreFolder, Interruption) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "openswiftdata-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(StoreFolder(url: url), Interruption(removing: url))
  }

  private static func measure(_ live: LiveRun, _ options: Options) throws {
    let results = try live()
    show(LiveTable(results: results))
    try options.resultFile.map(LiveFile(results: results).writeResults)
  }

  private static func measure(_ run: Run, _ live: LiveRun, _ options: Options) throws {
    var rows: [Row] = []
    var failures: [String] = []
    if !run.subjects.isEmpty {
      try run { subject, result in
        switch result {
        case .success(let row): rows.append(row)
        case .failure(let error): failures.append("\(subject.name): \(error)")
        }
        Progress.show("\(rows.count + failures.count) of \(run.subjects.count): \(subject.name)")
      }
    }
    var liveResults: [LiveResult] = []
    do { liveResults = try live() } catch { failures.append("live results: \(error)") }

    let figures = rows.filter(\.subject.isFigure)
    let history = rows.filter(\.subject.isAboutHistory)
    rows.removeAll { $0.subject.isFigure || $0.subject.isAboutHistory }
    if !rows.isEmpty { show(ResultTable(peers: run.peers, rows: rows), options) }
    if !history.isEmpty {
      if !rows.isEmpty { print() }
      show(ResultTable(peers: run.historyPeers, rows: history), options)
    }
    if !figures.isEmpty { print("\n" + FigureTable(rows: figures).text) }
    if (rows + history).contains(where: { !$0.isCalm }) {
      print("\n~ The machine was too busy: the median of the calmest repetitions.")
    }
    if !liveResults.isEmpty {
      if !run.subjects.isEmpty { print() }
      show(LiveTable(results: liveResults))
    }
    let results = ResultFile(peers: run.peers, rows: rows, history: history, figures: figures, live: liveResults)
    try options.resultFile.map(results.writeResults)
    guard failures.isEmpty else { throw BenchError("failed:\n" + failures.joined(separator: "\n")) }
  }

  private static func show(_ table: LiveTable) {
    print(table.text)
    if table.results.contains(where: { !$0.isCalm }) {
      print("\n~ The machine was too busy: the median of the calmest repetitions.")
    }
  }

  private static func show(_ table: ResultTable, _ options: Options) {
    print(table.text)
    if options.showsRanges { print("\n" + table.ranges) }
  }
}
