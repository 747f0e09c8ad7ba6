import Foundation
import SwiftData

@testable import TestSupport

/// A row for each worker, which only that worker writes.
@Model
final class Tally {
  @Attribute(.unique) var worker: String
  var count = 0

  init(worker: String) {
    self.worker = worker
  }
}

/// One row for all workers, each of which writes its own property.
@Model
final class Board {
  var first = 0
  var second = 0
  var third = 0
  var fourth = 0
  var main = 0
  var other = 0

  init() {}
}

/// A row for each save.
@Model
final class Stroke {
  var worker: String
  var count: Int

  init(worker: String, count: Int) {
    self.worker = worker
    self.count = count
  }
}

/// Counts up in a context.
struct Counting {
  let worker: String
  let place: Place

  typealias Place = any ReferenceWritableKeyPath<Board, Int> & Sendable

  /// Makes one save: the worker's tally, its property of the board, and a new row.
  func step(_ context: ModelContext) throws {
    let worker = worker
    let tallies = try context.fetch(FetchDescriptor<Tally>()).filter { $0.worker == worker }
    let tally: Tally
    if let known = tallies.first {
      tally = known
    } else {
      tally = Tally(worker: worker)
      context.insert(tally)
    }
    tally.count += 1
    for board in try context.fetch(FetchDescriptor<Board>()) { board[keyPath: place] += 1 }
    context.insert(Stroke(worker: worker, count: tally.count))
    try context.save()
  }
}

@ModelActor
actor Counter {
  func count(_ counting: Counting, times: Int) throws {
    for _ in 0..<times { try counting.step(modelContext) }
  }
}
