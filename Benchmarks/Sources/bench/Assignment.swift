import Foundation
import SwiftDataPeer
import Timing
import Workload

/// The task of a worker process.
///
/// Each scenario is measured in its own process, so that it has a fresh heap, and a crash does not end the whole run.
struct Assignment: Codable {
  enum Task: Codable {
    /// Writes the stores. The answer is `true`.
    case build
    /// Writes only the stores of owners and of items. The answer is `true`.
    case buildItems
    /// Writes the store with a million items. The answer is `true`.
    case buildMany
    /// Writes the store with a history of a million transactions. The answer is `true`.
    case buildTransactions
    /// Times the peers in turn. The answer is a `Summary` in seconds for each, or nil.
    case time(Scenario, Effort)
    /// Writes the stores for figures. The answer is `true`.
    case buildForFigures
    /// Measures a figure once. The answer is a number in the figure's unit.
    case figure(Figure)
    /// Writes a large store. The answer is `true`.
    case buildScale(items: Int)
    /// Runs a step with the large store. The answer is a `ScaleResult`.
    case scale(ScaleStep, items: Int)
    /// Checks whether the first peer supports a scenario. The answer is a `Bool`.
    case offers(Scenario)
    /// Makes the first peer run a scenario once, for a tool that counts instructions. The answer is `true`.
    case count(Scenario)
    /// Fetches everything once with only the first peer. The answer is a `Footprint`.
    case fetch
    /// Makes the first peer insert everything once. The answer is the size of the store in megabytes.
    case storeSize
    /// Saves into a store that another process follows. The answer is a `Commit` for each save.
    case commit(CommitSeries, to: URL)
    /// Opens a store and stays idle. The answer is an `Activity`.
    case idle(IdleProcess.Listening, seconds: Double)
    /// Writes the store for a case of live results. The answer is `true`.
    case buildLive(LiveCase)
    /// Makes the first peer run a case of live results. The answer is a `LiveValue` for each subject.
    case live(LiveCase, Effort)
  }

  let task: Task
  let folder: StoreFolder
  /// The names of the peers.
  let peers: [String]
}
