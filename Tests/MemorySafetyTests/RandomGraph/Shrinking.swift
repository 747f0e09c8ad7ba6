import Foundation

/// Finds a short sequence of operations that fails.
enum Shrinking {
  /// Removes as many operations as possible in the given time.
  ///
  /// - Parameter failingIndex: Runs operations and returns the index of the failing one, or nil.
  static func shrink<Operation>(
    _ operations: [Operation], seconds: Double, failingIndex: ([Operation]) -> Int?
  ) -> [Operation] {
    let end = Date().addingTimeInterval(seconds)
    var shortest = operations
    var size = shortest.count / 2
    while size > 0, Date() < end {
      var start = 0
      var isShorter = false
      while start < shortest.count, Date() < end {
        var candidate = shortest
        candidate.removeSubrange(start..<min(start + size, shortest.count))
        if let index = failingIndex(candidate) {
          shortest = Array(candidate.prefix(index + 1))
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
