import Foundation

extension Double {
  /// Three significant digits, as far as there are that many.
  var shortened: String {
    let digits = self >= 100 ? 0 : self >= 10 ? 1 : self >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", self)
  }
}

extension Int {
  /// How many millions it is, with three significant digits.
  var inMillions: String {
    (Double(self) / 1e6).shortened
  }
}
