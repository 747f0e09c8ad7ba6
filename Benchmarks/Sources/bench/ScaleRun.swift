import Foundation
import SwiftDataPeer
import Workload

/// Measures a store with more rows than should be in memory, one step in each process.
struct ScaleRun {
  private static let itemCount = 10_000_000
  private static let quickItemCount = 1_000_000

  let folder: StoreFolder
  let interruption: Interruption
  private let itemCount: Int

  init(isQuick: Bool, folder: StoreFolder, interruption: Interruption) {
    itemCount = isQuick ? Self.quickItemCount : Self.itemCount
    self.folder = folder
    self.interruption = interruption
  }

  /// Builds the store and runs all steps.
  func callAsFunction() throws -> [(step: ScaleStep, result: ScaleResult)] {
    Progress.show("building a store of \(itemCount) items")
    _ = try ask(.buildScale(items: itemCount)) as Bool
    return try ScaleStep.allCases.map { step in
      Progress.show(step.rawValue)
      return try (step, ask(.scale(step, items: itemCount)))
    }
  }

  private func ask<Answer: Decodable>(_ task: Assignment.Task) throws -> Answer {
    try WorkerProcess(folder: folder.url, interruption: interruption).answer(
      to: Assignment(task: task, folder: folder, peers: []))
  }
}
