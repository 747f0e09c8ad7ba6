import Foundation
import SwiftDataPeer
import Timing
import Workload

/// What a worker process is to do.
///
/// Each scenario is measured by a process of its own, so that none meets the heap that another one left, and none takes the
/// whole run down.
struct Assignment: Codable {
  enum Task: Codable {
    /// Writes the stores. The answer is `true`.
    case build
    /// Writes the stores of owners and of items alone. The answer is `true`.
    case buildItems
    /// Writes the store with a million items. The answer is `true`.
    case buildMany
    /// Writes the store with a history of a million transactions. The answer is `true`.
    case buildTransactions
    /// Times the peers in turn. The answer is a `Summary` in seconds for each, or nil.
    case time(Scenario, Effort)
    /// Writes the stores that only figures need. The answer is `true`.
    case buildForFigures
    /// Takes a figure once. The answer is a number in the figure's unit.
    case figure(Figure)
    /// Writes a large store. The answer is `true`.
    case buildScale(items: Int)
    /// Takes a step at the large store. The answer is a `ScaleResult`.
    case scale(ScaleStep, items: Int)
    /// Finds out whether the first peer has a notion of a scenario. The answer is a `Bool`.
    case offers(Scenario)
    /// Has the first peer do a scenario once, for a tool that counts instructions. The answer is `true`.
    case count(Scenario)
    /// Fetches everything once as the only peer there, the first of those named. The answer is a `Footprint`.
    case fetch
    /// Has the first peer insert everything once. The answer is the size of the store in megabytes.
    case storeSize
    /// Saves into a store that another process follows. The answer is a `Commit` for each save.
    case commit(CommitSeries, to: URL)
    /// Has a store open and nothing to do. The answer is an `Activity`.
    case idle(IdleProcess.Listening, seconds: Double)
    /// Writes the store that a case of live results is about. The answer is `true`.
    case buildLive(LiveCase)
    /// Has the first peer take a case of live results. The answer is a `LiveValue` for each subject.
    case live(LiveCase, Effort)
  }

  let task: Task
  let folder: StoreFolder
  /// The names of the peers that take part.
  let peers: [String]
}
