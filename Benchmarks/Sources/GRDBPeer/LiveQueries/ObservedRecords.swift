import GRDB
import Synchronization

/// The work that observations have to do and have done.
final class ObservationCounts: Sendable {
  private struct Counts {
    var changed = 0
    var compared = 0
    var different = 0
    var received = 0
  }

  private let counts = Mutex(Counts())

  /// How often the main queue has received changed records.
  var received: Int { counts.withLock { $0.received } }
  /// Whether the records of each change are compared, and received if they differ.
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

/// The records of a query.
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
        // GRDB does not report the difference.
        let difference = new.map(\.id).difference(from: records.map(\.id)).inferringMoves()
        precondition(difference.count == 2, "One row has moved.")
      }
      records = new
    }
  }
}
