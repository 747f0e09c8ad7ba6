import Foundation
import Workload

/// A store that a peer changes, with or without live queries, and the expected values of its rows.
final class FollowedStore {
  let peer: any LivePeer
  private let liveCase: LiveCase
  private let isFollowed: Bool
  private let saving: LiveSaving
  private let queries: [LiveQuery]
  private let initialRows: [LiveSeed]
  private var rows: [LiveSeed]
  private var turn = 0

  /// - Parameter number: Distinguishes the file from other stores of the same case.
  init(
    _ liveCase: LiveCase, _ type: any LivePeer.Type, in folder: StoreFolder, isFollowed: Bool, number: Int
  ) throws {
    self.liveCase = liveCase
    self.isFollowed = isFollowed
    // A peer without unsaved changes saves them.
    saving = type.knows(liveCase.saving) ? liveCase.saving : .sameContext
    initialRows = liveCase.rows
    rows = initialRows
    queries = liveCase.queries
    let name = "\(isFollowed ? "followed" : "not followed") \(number) by \(type.name)"
    peer = try type.init(folder.copy(ofLiveRowsOf: liveCase, named: name).make())
    try peer.hold(liveCase.changedRows, for: saving)
  }

  func open() throws {
    if isFollowed { try peer.open(queries, showsDifferences: liveCase.showsDifferences) }
  }

  /// Makes the next change, and saves it if the case requires it.
  func change() throws {
    turn += 1
    let change = nextChange()
    note(change)
    try peer.make(change, savedBy: saving)
  }

  func bringUpToDate() throws {
    if isFollowed { try peer.bringUpToDate() }
  }

  /// Runs the pending work of the main queue, and observes again.
  func endTurn() {
    RunLoop.main.run(mode: .default, before: Date())
    peer.observeAgain()
  }

  /// Deletes the rows of the last insertion.
  func takeBack() throws {
    try peer.make(.deleteInserted, savedBy: saving)
    rows.removeLast(rows.count - initialRows.count)
    try bringUpToDate()
  }

  // MARK: Changes

  private func nextChange() -> LiveChange {
    let count = liveCase.rowCount
    switch liveCase {
    case .newPosition, .unsavedMove, .savedMove, .otherContextMove:
      // Between two rows, at an unused position.
      let position = LiveSeed.position(number: nextRow, rowCount: count, turn: turn)
      return .position(row: nextRow, position + 1 + turn % (LiveSeed.distance - 1))
    case .newOwner:
      return .owner(row: nextRow, (rows[nextRow].owner + liveCase.ownerCount / 2) % liveCase.ownerCount)
    case .newText, .streaming:
      return .text(row: nextRow, word: (nextRow + turn) % LiveQuery.wordCount)
    case .insertion:
      let seeds = (count..<2 * count).map { number in
        var seed = LiveSeed(number: number, ownerCount: liveCase.ownerCount, rowCount: 2 * count)
        seed.position += LiveSeed.distance / 2
        return seed
      }
      return .insert(seeds)
    case .smallResults, .largeResults:
      return .allPositions(turn: turn)
    case .unrelatedSave, .otherProcess, .memory:
      return .note(turn)
    }
  }

  private var nextRow: Int {
    liveCase.changedRows[turn % liveCase.changedRows.count]
  }

  private func note(_ change: LiveChange) {
    switch change {
    case .position(let row, let position): rows[row].position = position
    case .owner(let row, let owner): rows[row].owner = owner
    case .text(let row, let word): rows[row].text = LiveSeed.text(word: word)
    case .allPositions, .note, .deleteInserted: break
    case .insert(let seeds): rows += seeds
    }
  }

  // MARK: Checking

  /// Fails when results are wrong. Checks some dozen queries, including those of the last changes.
  func check() throws {
    if case .allPositions = nextChange() {
      for index in rows.indices {
        rows[index].position = LiveSeed.position(number: index, rowCount: rows.count, turn: turn)
      }
    }
    let step = max(1, queries.count / 30)
    for index in Set(stride(from: 0, to: queries.count, by: step)).union(0..<min(10, queries.count)) {
      guard try peer.numbers(ofQuery: index) == queries[index].numbers(of: rows) else {
        throw BenchError("\(liveCase.rawValue): the results of query \(index) are wrong.")
      }
    }
  }
}
