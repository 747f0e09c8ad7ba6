import SwiftData

/// A list that receives the differences of its rows, and only counts them.
final class ShownDifferences: ResultsAdapter {
  private(set) var count = 0

  func show(_ results: FetchResultsCollection<LiveRow>) {}

  func show(_ results: FetchResultsCollection<LiveRow>, changedBy difference: ResultsDifference) {
    precondition(difference.removed.isEmpty && difference.inserted.isEmpty, "No row is inserted or deleted.")
    count += 1
  }
}
