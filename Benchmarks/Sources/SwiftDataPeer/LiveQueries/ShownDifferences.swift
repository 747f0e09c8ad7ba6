import SwiftData

/// A list that is told how its rows change, and keeps nothing but how often.
final class ShownDifferences: ResultsAdapter {
  private(set) var count = 0

  func show(_ results: FetchResultsCollection<LiveRow>) {}

  func show(_ results: FetchResultsCollection<LiveRow>, changedBy difference: ResultsDifference) {
    precondition(difference.removed.isEmpty && difference.inserted.isEmpty, "No row has come or gone.")
    count += 1
  }
}
