/// The sum of floating-point numbers without intermediate rounding: the result is rounded once, and infinite only if it is
/// too large.
struct ExactSum {
  private var ordinary = Parts()
  /// The sum of the numbers from `limit` on, scaled down so that it does not overflow.
  private var large = Parts()
  /// The sum of the numbers that are not finite; nil when there are none.
  private var extraordinary: Double?

  /// The smallest number of which a few may overflow. Smaller numbers overflow only if there are 2^63 of them.
  private static let limit = 0x1p960
  /// A power of two, which changes no digit of a large number.
  private static let scale = 0x1p-64
  private static let inverseScale = 0x1p64

  mutating func add(_ number: Double) {
    if number.magnitude < Self.limit {
      ordinary.add(number)
    } else if number.isFinite {
      large.add(number * Self.scale)
    } else {
      extraordinary = (extraordinary ?? 0) + number
    }
  }

  var total: Double {
    quotient(by: 1)
  }

  /// The sum divided by the count of numbers. It is finite if the numbers are.
  func mean(of count: Int) -> Double {
    quotient(by: Double(count))
  }

  private func quotient(by divisor: Double) -> Double {
    if let extraordinary { return extraordinary / divisor }
    if large.isEmpty { return ordinary.total / divisor }
    guard large.total.magnitude < 0x1p946 else {
      // Far more than the sum of the ordinary numbers, unless there are 2^40 of them.
      var joined = large
      joined.add(ordinary, scaledBy: Self.scale)
      return joined.total / divisor * Self.inverseScale
    }
    // The sum of the large numbers does not overflow when it is scaled up. They may have canceled each other out, so that
    // only the ordinary numbers are left.
    var joined = ordinary
    joined.add(large, scaledBy: Self.inverseScale)
    return joined.total / divisor
  }
}

extension ExactSum {
  /// A sum as parts that do not overlap, smallest first, after J. R. Shewchuk's "Adaptive Precision Floating-Point
  /// Arithmetic" (1997). There are rarely more than a few.
  private struct Parts {
    private var parts: [Double] = []

    var isEmpty: Bool { parts.isEmpty }

    /// - Parameter number: A number that does not make the sum overflow.
    mutating func add(_ number: Double) {
      var rest = number
      var kept = 0
      for index in parts.indices {
        let (sum, error) = Self.sum(rest, parts[index])
        if error != 0 {
          parts[kept] = error
          kept += 1
        }
        rest = sum
      }
      parts.removeSubrange(kept...)
      parts.append(rest)
    }

    /// Adds a sum times a power of two. The largest part whose multiple underflows is added as the least nonzero number,
    /// because it decides which of two results is nearer.
    mutating func add(_ other: Parts, scaledBy scale: Double) {
      for part in other.parts.reversed() where part != 0 {
        let scaled = part * scale
        guard scaled / scale == part else {
          return add(part < 0 ? -.leastNonzeroMagnitude : .leastNonzeroMagnitude)
        }
        add(scaled)
      }
    }

    var total: Double {
      guard var total = parts.last else { return 0 }
      var lower = parts.dropLast()
      var error = 0.0
      while error == 0, let next = lower.popLast() {
        (total, error) = Self.sum(total, next)
      }
      // Exactly between two numbers, the lower parts decide which one is nearer.
      guard let next = lower.last, (error < 0) == (next < 0) else { return total }
      let nudged = total + error * 2
      return nudged - total == error * 2 ? nudged : total
    }

    /// The rounded sum of two numbers, and the rounding error.
    private static func sum(_ first: Double, _ second: Double) -> (sum: Double, error: Double) {
      let (large, small) = first.magnitude < second.magnitude ? (second, first) : (first, second)
      let sum = large + small
      return (sum, small - (sum - large))
    }
  }
}
