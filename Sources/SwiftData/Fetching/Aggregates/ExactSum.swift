/// The sum of floating-point numbers without any rounding on the way: what it comes to is rounded once.
///
/// The sum is kept in parts that do not overlap, smallest first, after J. R. Shewchuk's "Adaptive Precision
/// Floating-Point Arithmetic" (1997). There are rarely more than a few.
struct ExactSum {
  private var parts: [Double] = []
  /// The sum of what is not finite; nil as long as there is nothing such.
  private var extraordinary: Double?

  mutating func add(_ number: Double) {
    guard number.isFinite else { return addExtraordinary(number) }
    var rest = number
    var kept = 0
    for index in parts.indices {
      let (sum, error) = Self.sum(rest, parts[index])
      guard sum.isFinite else { return addExtraordinary(sum) }
      if error != 0 {
        parts[kept] = error
        kept += 1
      }
      rest = sum
    }
    parts.removeSubrange(kept...)
    parts.append(rest)
  }

  var total: Double {
    if let extraordinary { return extraordinary }
    guard var total = parts.last else { return 0 }
    var lower = parts.dropLast()
    var error = 0.0
    while error == 0, let next = lower.popLast() {
      (total, error) = Self.sum(total, next)
    }
    // Just between two numbers, what is left decides which is nearer.
    guard let next = lower.last, (error < 0) == (next < 0) else { return total }
    let nudged = total + error * 2
    return nudged - total == error * 2 ? nudged : total
  }

  private mutating func addExtraordinary(_ number: Double) {
    extraordinary = (extraordinary ?? 0) + number
  }

  /// The rounded sum of two numbers, and what rounding took from it.
  private static func sum(_ first: Double, _ second: Double) -> (sum: Double, error: Double) {
    let (large, small) = first.magnitude < second.magnitude ? (second, first) : (first, second)
    let sum = large + small
    return (sum, small - (sum - large))
  }
}
