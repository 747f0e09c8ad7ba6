import Foundation
import RawPeer
import Reporting
import SwiftDataPeer
import Timing
import Workload

/// Runs one assignment and writes the answer to a file.
struct Worker {
  private let assignment: Assignment
  private let seeds = Seeds()

  init(_ assignment: Assignment) {
    self.assignment = assignment
  }

  func run(answeringTo file: URL) throws {
    switch assignment.task {
    case .build:
      try buildItems()
      try buildOthers()
      try write(true, to: file)
    case .buildItems:
      try buildItems()
      try write(true, to: file)
    case .buildMany:
      try buildMany()
      try write(true, to: file)
    case .buildTransactions:
      try buildTransactions()
      try write(true, to: file)
    case .time(let scenario, let effort):
      try write(time(scenario, effort), to: file)
    case .buildForFigures:
      try buildForFigures()
      try write(true, to: file)
    case .figure(let figure):
      try write(figure.measure(in: assignment.folder), to: file)
    case .buildScale(let items):
      try buildScale(items)
      try write(true, to: file)
    case .scale(let step, let items):
      try write(take(step, items), to: file)
    case .offers(let scenario):
      try write(peers.first.map { try make(scenario, by: $0) != nil } ?? false, to: file)
    case .count(let scenario):
      try count(scenario)
      try write(true, to: file)
    case .fetch:
      try write(fetch(), to: file)
    case .storeSize:
      try write(storeSize(), to: file)
    case .commit(let series, let store):
      try write(series.commit(to: store), to: file)
    case .idle(let listening, let seconds):
      try write(idle(listening, for: seconds), to: file)
    case .buildLive(let liveCase):
      try buildLive(liveCase)
      try write(true, to: file)
    case .live(let liveCase, let effort):
      try write(live(liveCase, effort), to: file)
    }
  }

  private func buildItems() throws {
    let folder = assignment.folder
    try StoreBuilder.buildItems(in: folder, from: seeds)
    for store in [folder.owners, folder.items] { try Inspection.checkpoint(store) }
    let expectation = Expectation(of: .insertAll, on: seeds)
    guard try Inspection.digest(of: folder.items) == expectation.digest else {
      throw BenchError("The library stored wrong values.")
    }
  }

  private func buildOthers() throws {
    let folder = assignment.folder
    try StoreBuilder.buildOthers(in: folder, from: seeds)
    for store in [folder.orders, folder.names, folder.texts, folder.indexedTexts] { try Inspection.checkpoint(store) }
  }

  private func buildMany() throws {
    let store = assignment.folder.manyItems
    try StoreBuilder.makeEmpty(store)
    try StoreFilling.fill(store, items: Seeds.manyItemsCount)
  }

  private func buildTransactions() throws {
    let store = assignment.folder.manyTransactions
    try StoreBuilder.makeTransaction(in: store)
    try StoreFilling.repeatTransaction(in: store, count: Seeds.manyTransactionsCount)
  }

  private func buildForFigures() throws {
    try ColdOpen.prepare(in: assignment.folder)
  }

  private func time(_ scenario: Scenario, _ effort: Effort) throws -> [Summary?] {
    let expectation = Expectation(of: scenario, on: seeds)
    let works = try peers.map { peer in
      try make(scenario, by: peer).map { CheckedWork(of: peer, $0, expectation) }
    }
    var summaries = try Sampler(effort: effort).measure(works.compactMap(\.self)).makeIterator()
    return works.map { $0 == nil ? nil : summaries.next() }
  }

  private var scaleStore: URL {
    assignment.folder.file("scale")
  }

  private func buildScale(_ items: Int) throws {
    try StoreBuilder.makeEmpty(scaleStore)
    try StoreFilling.fill(scaleStore, items: items)
    try StoreFilling.indexCreationDates(in: scaleStore)
  }

  private func take(_ step: ScaleStep, _ items: Int) throws -> ScaleResult {
    let work = try step.prepare(on: scaleStore)
    try ResidentMemory.resetPeak()
    let clock = ContinuousClock()
    let start = clock.now
    var rows = 0
    let seconds = try CPUClock.seconds { rows = try work() }
    let elapsed = clock.now - start
    guard rows == step.rows(of: items) else { throw BenchError("\(step.rawValue): \(rows) rows") }
    return try ScaleResult(
      seconds: seconds, elapsedSeconds: elapsed / .seconds(1), peakMemory: Double(ResidentMemory().peak) / 1_048_576)
  }

  private func count(_ scenario: Scenario) throws {
    guard let peer = peers.first, let work = try make(scenario, by: peer) else {
      throw BenchError("No peer supports \(scenario.rawValue).")
    }
    // Otherwise they would be made during the measurement.
    if [.insertAll, .insertSingly, .insertDurably].contains(scenario) { _ = seeds.items }
    let control = PerfControl(of: ProcessInfo.processInfo.environment)
    try work.prepare()
    // The first read of a property may fire a fault, which the scenario does not measure.
    if scenario == .readAll { _ = try work.run() }
    try control?.startCounting()
    _ = try countedRun(work)
    try control?.stopCounting()
  }

  /// The function in which instructions are counted. Callgrind finds it by its name.
  @inline(never)
  private func countedRun(_ work: any Work) throws -> Int {
    try work.run()
  }

  private func fetch() throws -> Footprint {
    guard let peer = peers.first else { throw BenchError("No peer to fetch with.") }
    guard let work = try make(.fetchAll, by: peer) else { throw BenchError("\(peer.name) does not fetch.") }
    try work.prepare()
    try ResidentMemory.resetPeak()
    let before = try ResidentMemory()
    let result = try work.run()
    let after = try ResidentMemory()
    guard result == Expectation(of: .fetchAll, on: seeds).result else {
      throw BenchError("\(peer.name) fetched wrong values.")
    }
    let megabyte = 1_048_576.0
    return Footprint(
      peak: Double(after.peak - before.current) / megabyte,
      held: Double(after.current - before.current) / megabyte)
  }

  private func storeSize() throws -> Double {
    guard let peer = peers.first, let work = try make(.insertAll, by: peer) else {
      throw BenchError("No peer to insert with.")
    }
    try work.prepare()
    _ = try work.run()
    guard case .store(let file) = try work.finish() else { throw BenchError("\(peer.name) left no store.") }
    return try Double(Inspection.size(of: file)) / 1_048_576
  }

  private func idle(_ listening: IdleProcess.Listening, for seconds: Double) throws -> Activity {
    let process = try IdleProcess(assignment.folder.file(listening.rawValue), listening)
    // The process identifier is for tools such as strace.
    Progress.show("process \(ProcessInfo.processInfo.processIdentifier) has nothing to do for \(seconds.shortened) s")
    return try process.activity(for: seconds)
  }

  private func buildLive(_ liveCase: LiveCase) throws {
    let folder = assignment.folder
    try StoreBuilder.buildLiveRows(of: liveCase, in: folder)
    try Inspection.checkpoint(folder.liveRows(of: liveCase))
  }

  private func live(_ liveCase: LiveCase, _ effort: Effort) throws -> [LiveValue] {
    guard let peer = livePeers.first(where: { assignment.peers.contains($0.name) }) else {
      throw BenchError("No peer to follow results.")
    }
    return try LiveMeasurement(liveCase: liveCase, peer: peer, folder: assignment.folder, effort: effort)()
  }

  private var peers: [any Peer.Type] {
    knownPeers.filter { assignment.peers.contains($0.name) }
  }

  private func make(_ scenario: Scenario, by peer: any Peer.Type) throws -> (any Work)? {
    try peer.init(folder: assignment.folder, seeds: seeds).work(for: scenario)
  }

  private func write(_ answer: some Encodable, to file: URL) throws {
    try JSONEncoder().encode(answer).write(to: file)
  }
}
