import GRDB
import Synchronization

/// What observations have to do and have done.
final class ObservationCounts: Sendable {
  private struct Counts {
    var changed = 0
    var compared = 0
    var different = 0
    var received = 0
  }

  private let counts = Mutex(Counts())

  /// How often the main queue has received other records.
  var received: Int { counts.withLock { $0.received } }
  /// Whether, of each change, the records are compared with those before and received where they are others.
  var isResolved: Bool { counts.withLock { $0.changed == $0.compared && $0.different == $0.received } }

  func recordChange() {
    counts.withLock { $0.changed += 1 }
  }

  func noteComparison(isSame: Bool) {
    counts.withLock {
      $0.compared += 1
      if !isSame { $0.different += 1 }
    }
  }

  func noteReceived() {
    counts.withLock { $0.received += 1 }
  }

  func reset() {
    counts.withLock { $0 = Counts() }
  }
}

/// The records that a query has.
final class ObservedRecords: Sendable {
  private let records = Mutex<[LiveRecord]?>(nil)
  private let showsDifferences: Bool

  init(showsDifferences: Bool) {
    self.showsDifferences = showsDifferences
  }

  var isFirst: Bool { records.withLock { $0 == nil } }
  var ids: [Int64] { records.withLock { $0?.map(\.id) ?? [] } }

  func receive(_ new: [LiveRecord]) {
    records.withLock { records in
      if showsDifferences, let records {
        // GRDB does not say how they differ.
        let difference = new.map(\.id).difference(from: records.map(\.id)).inferringMoves()
        precondition(difference.count == 2, "One row has moved.")
      }
      records = new
    }
  }
}
