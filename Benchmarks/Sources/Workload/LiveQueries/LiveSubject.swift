/// A row of the table of live results.
package enum LiveSubject: String, CaseIterable, Sendable {
  case unrelatedSaveTime = "1,000 queries, save of another entity: added to it"
  case unrelatedSaveNotifications = "1,000 queries, saves of another entity: notifications"
  case newPosition = "1,000 queries of an owner each, one row of 10,000 gets another position and is saved: added to it"
  case newOwner = "1,000 queries of an owner each, one row of 10,000 gets another owner and is saved: added to it"
  case newText = "1,000 queries of a word each, one row of 10,000 gets another text and is saved: added to it"
  case unsavedMove = "result of 100,000, one row moves, not saved: added, with the difference"
  case savedMove = "result of 100,000, one row moves and is saved: added, with the difference"
  case otherContextMove = "result of 100,000, another context moves one row and saves it: added, with the difference"
  case insertionTime = "100 queries with a limit of 50, save of 10,000 new rows, ratio to none open"
  case insertionUpdate = "100 queries with a limit of 50, update after it"
  case streamingNotifications = "100 queries, 100 saves in 2 s of a text that none is about: notifications"
  case streamingTime = "100 queries, 100 saves in 2 s of a text that none is about, ratio to none open"
  case otherProcessMedian = "from another process's commit to a difference, median"
  case otherProcessHighest = "from another process's commit to a difference, 99 %"
  case memberMemory = "memory of a member of a result of 100,000"
  case releasedMemory = "memory of a member after the result is released"
  case smallResults = "1,000 results of 1 row, 10,000 rows change their positions"
  case largeResults = "1,000 results of 1,000 rows, 10,000 rows change their positions"

  /// The name in result files.
  package var fullName: String { "live results: " + rawValue }

  package enum Unit: String, Sendable {
    case milliseconds = "ms"
    case microseconds = "µs"
    case bytes
    case count
    case ratio
  }

  package var unit: Unit {
    switch self {
    case .unrelatedSaveTime: .microseconds
    case .unrelatedSaveNotifications, .streamingNotifications: .count
    case .insertionTime, .streamingTime: .ratio
    case .memberMemory, .releasedMemory: .bytes
    case .newPosition, .newOwner, .newText, .unsavedMove, .savedMove, .otherContextMove, .insertionUpdate,
      .otherProcessMedian, .otherProcessHighest, .smallResults, .largeResults:
      .milliseconds
    }
  }

  /// The target for the library, in the unit.
  package var bar: Double? {
    switch self {
    case .unrelatedSaveTime: 50
    case .unrelatedSaveNotifications, .streamingNotifications, .releasedMemory: 0
    case .newPosition, .newOwner, .unsavedMove, .savedMove, .otherContextMove: 0.2
    case .newText: 1
    case .insertionTime: 1.1
    case .insertionUpdate: nil
    case .streamingTime: 1.05
    case .otherProcessMedian: 10
    case .otherProcessHighest: 50
    case .memberMemory: 32
    case .smallResults: 500
    case .largeResults: 2_000
    }
  }
}
