import Foundation

extension Double {
  /// Three significant digits, as far as there are that many.
  var shortened: String {
    let digits = self >= 100 ? 0 : self >= 10 ? 1 : self >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", self)
  }
}
