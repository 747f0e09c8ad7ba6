/// The sum of floating-point numbers without any rounding on the way: what it comes to is rounded once, and infinite
/// only if that is too large.
struct ExactSum {
  private var ordinary = Parts()
  /// The sum of the numbers from `limit` on, each of them scaled down, so that there is room above them.
  private var large = Parts()
  /// The sum of what is not finite; nil as long as there is nothing such.
  private var extraordinary: Double?

  /// Where numbers begin of which a few overflow. It takes 2^63 smaller ones.
  private static let limit = 0x1p960
  /// Changes no digit of a large number.
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

  /// The sum divided by how many numbers there are, which is finite if the numbers are.
  func mean(of count: Int) -> Double {
    quotient(by: Double(count))
  }

  private func quotient(by divisor: Double) -> Double {
    if let extraordinary { return extraordinary / divisor }
    if large.isEmpty { return ordinary.total / divisor }
    guard large.total.magnitude < 0x1p946 else {
      // Far more than the ordinary numbers come to, unless there are 2^40 of them.
      var joined = large
      joined.add(ordinary, scaledBy: Self.scale)
      return joined.total / divisor * Self.inverseScale
    }
    // What is left of the large numbers has room among the others, and these may be all that is left.
    var joined = ordinary
    joined.add(large, scaledBy: Self.inverseScale)
    return joined.total / divisor
  }
}

extension ExactSum {
  /// A sum that is kept in parts that do not overlap, smallest first, after J. R. Shewchuk's "Adaptive Precision
  /// Floating-Point Arithmetic" (1997). There are rarely more than a few.
  private struct Parts {
    private var parts: [Double] = []

    var isEmpty: Bool { parts.isEmpty }

    /// - Parameter number: So small that the sum does not overflow.
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

    /// Adds a sum times a power of two. Of parts that have no such multiple the largest stays as the least number there
    /// is: it decides which of two numbers is nearer.
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
      // Just between two numbers, what is left decides which is nearer.
      guard let next = lower.last, (error < 0) == (next < 0) else { return total }
      let nudged = total + error * 2
      return nudged - total == error * 2 ? nudged : total
    }

    /// The rounded sum of two numbers, and what rounding took from it.
    private static func sum(_ first: Double, _ second: Double) -> (sum: Double, error: Double) {
      let (large, small) = first.magnitude < second.magnitude ? (second, first) : (first, second)
      let sum = large + small
      return (sum, small - (sum - large))
    }
  }
}
