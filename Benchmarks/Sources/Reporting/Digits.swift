import Foundation

extension Double {
  /// At most three significant digits.
  package var shortened: String {
    let digits = self >= 100 ? 0 : self >= 10 ? 1 : self >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", self)
  }
}

extension Int {
  /// The number in millions, with three significant digits.
  package var inMillions: String {
    (Double(self) / 1e6).shortened
  }
}
