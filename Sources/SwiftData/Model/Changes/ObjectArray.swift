import Foundation

extension [AnyObject] {
  /// Where an object is, looked for from both ends: who takes one away after the other does so in the order in which
  /// they came, or backwards.
  func place(of object: AnyObject) -> Int? {
    var (low, high) = (0, count - 1)
    while low <= high {
      if self[low] === object { return low }
      if self[high] === object { return high }
      low += 1
      high -= 1
    }
    return nil
  }

  /// The run of objects that another array has more, or less, than this one, if there is no other difference.
  ///
  /// - Returns: The places of the run in the longer one of both.
  func run(to other: [AnyObject]) -> (places: Range<Int>, hasCome: Bool)? {
    guard count != other.count else { return nil }
    let (shorter, length) = (Swift.min(count, other.count), abs(count - other.count))
    return withUnsafeBytes { members in
      other.withUnsafeBytes { others in
        // Compared as memory: arrays of objects are ones of addresses.
        let size = MemoryLayout<UnsafeRawPointer>.size
        func isSame(_ places: Range<Int>, shiftedBy shift: (Int, Int) = (0, 0)) -> Bool {
          guard let members = members.baseAddress, let others = others.baseAddress, !places.isEmpty else { return true }
          return memcmp(
            members + (places.lowerBound + shift.0) * size, others + (places.lowerBound + shift.1) * size,
            places.count * size) == 0
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
