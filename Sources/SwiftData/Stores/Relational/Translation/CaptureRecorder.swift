import Relational

/// Records which captured values one translation uses, and can give it others in their place.
final class CaptureRecorder {
  /// Those that can be exchanged, as they are bound, in the order in which they were asked for.
  private(set) var captured: [Value] = []
  /// Whether a bound value was computed from captured ones, and so is none of them.
  private(set) var isFolded = false
  private let firstStandIn: Int?

  /// - Parameter firstStandIn: The number of the value that stands in for the first one. Nil to leave all as they are.
  init(firstStandIn: Int? = nil) {
    self.firstStandIn = firstStandIn
  }

  func take<Captured>(_ value: Captured) -> Captured {
    guard let original = value as? any InterchangeableValue, original.isInterchangeable else { return value }
    guard let firstStandIn else {
      captured.append(original.bound)
      return value
    }
    let number = firstStandIn + captured.count
    var standIn = original.standIn(number)
    if standIn.bound == original.bound { standIn = original.standIn(number + 1000) }
    captured.append(standIn.bound)
    return standIn as? Captured ?? value
  }

  func noteFolding() {
    isFolded = true
  }
}
