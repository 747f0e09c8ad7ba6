import Foundation

extension [AnyObject] {
  /// The position of an object, searched from both ends at once: callers that remove many objects do so in the order of the
  /// array or in reverse.
  func position(of object: AnyObject) -> Int? {
    var (low, high) = (0, count - 1)
    while low <= high {
      if self[low] === object { return low }
      if self[high] === object { return high }
      low += 1
      high -= 1
    }
    return nil
  }

  /// The run of objects by which another array is longer or shorter, if that is the only difference.
  ///
  /// - Returns: The positions of the run in the longer array.
  func run(to other: [AnyObject]) -> (positions: Range<Int>, hasCome: Bool)? {
    guard count != other.count else { return nil }
    let (shorter, length) = (Swift.min(count, other.count), abs(count - other.count))
    return withUnsafeBytes { members in
      other.withUnsafeBytes { others in
        // Compared as memory: arrays of objects are ones of addresses.
        let size = MemoryLayout<UnsafeRawPointer>.size
        func isSame(_ positions: Range<Int>, shiftedBy shift: (Int, Int) = (0, 0)) -> Bool {
          guard !positions.isEmpty, let members = members.baseAddress, let others = others.baseAddress else {
            return true
          }
          return memcmp(
            members + (positions.lowerBound + shift.0) * size, others + (positions.lowerBound + shift.1) * size,
            positions.count * size) == 0
        }
        var (start, end) = (0, shorter)
        while start < end {
          let middle = (start + end + 1) / 2
          if isSame(start..<middle) { start = middle } else { end = middle - 1 }
        }
        let hasCome = other.count > count
        let shift = hasCome ? (0, length) : (length, 0)
        return isSame(start..<shorter, shiftedBy: shift) ? (start..<start + length, hasCome) : nil
      }
    }
  }
}
