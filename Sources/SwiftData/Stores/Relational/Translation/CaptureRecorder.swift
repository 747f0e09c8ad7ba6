import Relational

/// Records the captured values that a translation uses, and can replace them with probe values.
final class CaptureRecorder {
  /// The bound values that can be exchanged, in the order of their use.
  private(set) var captured: [Value] = []
  /// Whether a bound value was computed from captured ones.
  private(set) var isFolded = false
  private let firstProbe: Int?

  /// - Parameter firstProbe: The number of the first probe value; nil to leave all values unchanged.
  init(firstProbe: Int? = nil) {
    self.firstProbe = firstProbe
  }

  func record<Captured>(_ value: Captured) -> Captured {
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
