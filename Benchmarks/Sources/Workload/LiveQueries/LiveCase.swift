/// A measurement of changes to a store with live queries. Each case has its own store, and each peer runs it in its own
/// process.
package enum LiveCase: String, CaseIterable, Codable, Sendable {
  case unrelatedSave
  case newPosition
  case newOwner
  case newText
  case unsavedMove
  case savedMove
  case otherContextMove
  case insertion
  case streaming
  case otherProcess
  case memory
  case smallResults
  case largeResults

  /// The measured values, in the order of the rows of the table.
  package var subjects: [LiveSubject] {
    switch self {
    case .unrelatedSave: [.unrelatedSaveTime, .unrelatedSaveNotifications]
    case .newPosition: [.newPosition]
    case .newOwner: [.newOwner]
    case .newText: [.newText]
    case .unsavedMove: [.unsavedMove]
    case .savedMove: [.savedMove]
    case .otherContextMove: [.otherContextMove]
    case .insertion: [.insertionTime, .insertionUpdate]
    case .streaming: [.streamingNotifications, .streamingTime]
    case .otherProcess: [.otherProcessMedian, .otherProcessHighest]
    case .memory: [.memberMemory, .releasedMemory]
    case .smallResults: [.smallResults]
    case .largeResults: [.largeResults]
    }
  }

  /// Another process changes the store, and this process follows it.
  package var isAboutProcesses: Bool { self == .otherProcess }

  package var rowCount: Int {
    switch self {
    case .unsavedMove, .savedMove, .otherContextMove, .memory: 100_000
    default: 10_000
    }
  }

  package var ownerCount: Int {
    switch self {
    case .smallResults: 10_000
    case .largeResults: 10
    default: 1_000
    }
  }

  /// The rows of the store.
  package var rows: [LiveSeed] {
    (0..<rowCount).map { LiveSeed(number: $0, ownerCount: ownerCount, rowCount: rowCount) }
  }

  package var queries: [LiveQuery] {
    switch self {
    case .unrelatedSave, .newPosition, .newOwner: (0..<1_000).map { .owner($0) }
    case .newText: (0..<LiveQuery.wordCount).map { .word($0) }
    case .unsavedMove, .savedMove, .otherContextMove, .memory, .otherProcess: [.all]
    case .insertion: (0..<100).map { .first(fromOwner: $0) }
    case .streaming: (0..<100).map { .owner($0) }
    case .smallResults, .largeResults:
      (0..<1_000).map { .others(owner: $0 % ownerCount, position: -1 - $0 / ownerCount) }
    }
  }

  package var showsDifferences: Bool {
    switch self {
    case .unsavedMove, .savedMove, .otherContextMove: true
    default: false
    }
  }

  /// The numbers of the changed rows.
  package var changedRows: [Int] {
    switch self {
    case .unrelatedSave, .insertion, .otherProcess, .memory: []
    case .newPosition, .newOwner, .newText, .streaming: Array(0..<100)
    // Spread over the table.
    case .unsavedMove, .savedMove, .otherContextMove: (0..<100).map { $0 * 997 }
    case .smallResults, .largeResults: Array(0..<rowCount)
    }
  }

  package var saving: LiveSaving {
    switch self {
    case .unsavedMove, .smallResults, .largeResults: .unsaved
    case .otherContextMove: .otherContext
    default: .sameContext
    }
  }

  /// Whether a peer without unsaved changes is compared by its saves.
  package var isComparedUnsaved: Bool {
    self == .smallResults || self == .largeResults
  }
}
