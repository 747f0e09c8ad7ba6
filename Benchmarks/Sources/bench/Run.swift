import Foundation
import SwiftDataPeer
import Timing
import Workload

/// One run of the program: makes workers measure each subject.
struct Run {
  let peers: [any Peer.Type]
  /// The peers of the rows about history.
  let historyPeers: [any Peer.Type]
  let subjects: [Subject]
  let effort: Effort
  let folder: StoreFolder
  let interruption: Interruption

  /// Calls `report` with each row as soon as it is measured, or with its error.
  func callAsFunction(report: (Subject, Result<Row, any Error>) -> Void) throws {
    _ = try ask(.build, of: peers) as Bool
    if subjects.contains(where: \.needsManyItems) { _ = try ask(.buildMany, of: []) as Bool }
    if subjects.contains(where: \.needsManyTransactions) { _ = try ask(.buildTransactions, of: []) as Bool }
    for case .time(let scenario) in subjects {
      report(.time(scenario), Result { try time(.time(scenario), scenario, by: peers) })
    }
    let uses = subjects.compactMap { if case .memory(let use) = $0 { use } else { nil } }
    if !uses.isEmpty {
      let footprints = Result { try measureFootprints() }
      for use in uses {
        report(.memory(use), footprints.map { row(for: use, $0) })
      }
    }
    for case .history(let scenario) in subjects {
      report(.history(scenario), Result { try time(.history(scenario), scenario, by: historyPeers) })
    }
    if subjects.contains(.historySize) { report(.historySize, Result { try measureSizes() }) }
    guard subjects.contains(where: \.isFigure) else { return }
    _ = try ask(.buildForFigures, of: []) as Bool
    for case .figure(let figure) in subjects {
      report(.figure(figure), Result { try take(figure) })
    }
  }

  /// Runs several processes, because many figures measure the first time of an operation in a process.
  private func take(_ figure: Figure) throws -> Row {
    let count = figure.isLong ? 1 : effort.processes
    let values: [Double] = try (0..<count).map { _ in try ask(.figure(figure), of: []) }
    return Row(subject: .figure(figure), unit: figure.unit, summaries: [Summary(of: values, isCalm: true)])
  }

  private func time(_ subject: Subject, _ scenario: Scenario, by peers: [any Peer.Type]) throws -> Row {
    let seconds: [Summary?] = try ask(.time(scenario, effort), of: peers)
    return Row(subject: subject, unit: .milliseconds, summaries: seconds.map { $0?.scaled(by: 1_000) })
  }

  /// One run for each peer: a size is always the same.
  private func measureSizes() throws -> Row {
    let sizes: [Double] = try historyPeers.map { try ask(.storeSize, of: [$0]) }
    let summaries = sizes.map { Summary(of: [$0], isCalm: true) }
    return Row(subject: .historySize, unit: .megabytes, summaries: summaries)
  }

  /// Runs several processes for each peer, in turn.
  private func measureFootprints() throws -> [[Footprint]] {
    var footprints = peers.map { _ in [Footprint]() }
    for _ in 0..<effort.processes {
      for index in peers.indices {
        footprints[index].append(try ask(.fetch, of: [peers[index]]))
      }
    }
    return footprints
  }

  private func row(for use: MemoryUse, _ footprints: [[Footprint]]) -> Row {
    let summaries = footprints.map { Summary(of: $0.map { $0[use] }, isCalm: true) }
    return Row(subject: .memory(use), unit: .megabytes, summaries: summaries)
  }

  private func ask<Answer: Decodable>(_ task: Assignment.Task, of peers: [any Peer.Type]) throws -> Answer {
    let assignment = Assignment(task: task, folder: folder, peers: peers.map { $0.name })
    return try WorkerProcess(folder: folder.url, interruption: interruption).answer(to: assignment)
  }
}
