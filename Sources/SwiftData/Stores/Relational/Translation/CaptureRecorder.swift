import Relational

/// Records which captured values one translation uses, and can give it others in their place.
final class CaptureRecorder {
  /// Those that can be exchanged, as they are bound, in the order in which they were asked for.
  private(set) var captured: [Value] = []
  /// Whether a bound value was computed from captured ones, and so is none of them.
  private(set) var isFolded = false
  private let firstProbe: Int?

  /// - Parameter firstProbe: The number of the value that stands in for the first one. Nil to leave all as they are.
  init(firstProbe: Int? = nil) {
    self.firstProbe = firstProbe
  }

  func take<Captured>(_ value: Captured) -> Captured {
    guard let original = value as? any InterchangeableValue, original.isInterchangeable else { return value }
    guard let firstProbe else {
      captured.append(original.bound)
      return value
    }
    let number = firstProbe + captured.count
    var probeValue = original.probeValue(number)
    if probeValue.bound == original.bound { probeValue = original.probeValue(number + 1000) }
    captured.append(probeValue.bound)
    return probeValue as? Captured ?? value
  }

  func recordFolding() {
    isFolded = true
  }
}
