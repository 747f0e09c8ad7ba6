import Foundation
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
    if options.showsProfile {
      return try inTemporaryFolder { folder, interruption in
        try ProfileRun(options: options, folder: folder, interruption: interruption)()
      }
    }
    let peers = allPeers.filter { options.peer == nil || options.peer == $0.name }
    let measuresLibrary = peers.contains { $0 == OpenSwiftData.self }
    let subjects = Subject.allCases.filter { options.includes($0) && (measuresLibrary || !$0.isFigure) }
    if options.listsOnly {
      for subject in subjects { print(subject.name) }
      return print("\nPeers: " + peers.map { $0.name }.joined(separator: ", "))
    }
    guard !peers.isEmpty, !subjects.isEmpty else {
      throw BenchError("There is nothing of that name; --list shows the names.")
    }
    try inTemporaryFolder { folder, interruption in
      let run = Run(
        peers: peers, subjects: subjects, effort: options.isQuick ? .quick : .full, folder: folder,
        interruption: interruption)
      try measure(run, options)
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

  private static func measure(_ run: Run, _ options: Options) throws {
    var rows: [Row] = []
    var failures: [String] = []
    try run { subject, result in
      switch result {
      case .success(let row): rows.append(row)
      case .failure(let error): failures.append("\(subject.name): \(error)")
      }
      Progress.show("\(rows.count + failures.count) of \(run.subjects.count): \(subject.name)")
    }

    let figures = rows.filter(\.subject.isFigure)
    rows.removeAll(where: \.subject.isFigure)
    if !rows.isEmpty {
      let table = ResultTable(peers: run.peers, rows: rows)
      print(table.text)
      if options.showsRanges { print("\n" + table.ranges) }
    }
    if !figures.isEmpty { print("\n" + FigureTable(rows: figures).text) }
    if rows.contains(where: { !$0.isCalm }) {
      print("\n~ The machine was too busy: the median of the calmest repetitions there were.")
    }
    try options.resultFile.map(ResultFile(peers: run.peers, rows: rows, figures: figures).write)
    guard failures.isEmpty else { throw BenchError("failed:\n" + failures.joined(separator: "\n")) }
  }
}
