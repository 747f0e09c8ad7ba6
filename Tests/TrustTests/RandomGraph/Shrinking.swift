import Foundation

/// Finds a short sequence of operations that fails.
enum Shrinking {
  struct Result {
    let operations: [GraphOperation]
    let failure: GraphRun.Failure?
    let interval: Int
  }

  /// Leaves out as much as it can in the given time.
  static func shrink(_ operations: [GraphOperation], sides: Int, seconds: Double) -> Result {
    let end = Date().addingTimeInterval(seconds)
    var shortest = operations
    // A comparison after each operation finds a failure sooner, but reads what would stay unread.
    var interval = GraphRun.comparisonInterval
    if let failure = GraphRun.run(operations, sides: sides, comparingEvery: 1) {
      interval = 1
      shortest = Array(operations.prefix(failure.index + 1))
    }
    var size = shortest.count / 2
    while size > 0, Date() < end {
      var start = 0
      var isShorter = false
      while start < shortest.count, Date() < end {
        var candidate = shortest
        candidate.removeSubrange(start..<min(start + size, shortest.count))
        if let failure = GraphRun.run(candidate, sides: sides, comparingEvery: interval) {
          shortest = Array(candidate.prefix(failure.index + 1))
          isShorter = true
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    return Result(
      operations: shortest, failure: GraphRun.run(shortest, sides: sides, comparingEvery: interval), interval: interval)
  }
}
