import Foundation

/// Finds a short sequence of operations that fails.
enum Shrinking {
  /// Leaves out as much as it can in the given time.
  static func shrink(_ operations: [GraphOperation], sides: Int, seconds: Double) -> [GraphOperation] {
    let end = Date().addingTimeInterval(seconds)
    var shortest = operations
    var size = shortest.count / 2
    while size > 0, Date() < end {
      var start = 0
      var isShorter = false
      while start < shortest.count, Date() < end {
        var candidate = shortest
        candidate.removeSubrange(start..<min(start + size, shortest.count))
        if let failure = GraphRun.run(candidate, sides: sides) {
          shortest = Array(candidate.prefix(failure.index + 1))
          isShorter = true
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    return shortest
  }
}
