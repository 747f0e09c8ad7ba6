import Foundation

/// Dates as exact texts: ISO 8601 in UTC, with as many fraction digits as necessary, and at least three, as in
/// `2025-03-01T09:30:00.000Z`.
enum DateText {
  /// - Parameter seconds: Counted from the beginning of 2001 in UTC.
  /// - Returns: Nil unless the date is between `Date.distantPast` and the year 10000.
  static func encode(_ seconds: Double) -> String? {
    guard years.contains(seconds) else { return nil }
    let whole = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down))
    let written = whole.formatted(.iso8601)
    guard written.hasSuffix("Z") else { return nil }
    let digits = fractionDigits(of: seconds)
    let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
    return "\(written.dropLast()).\(digits)\(zeros)Z"
  }

  private static let years = Date.distantPast.timeIntervalSinceReferenceDate..<252_423_993_600

  /// The fraction digits of the difference between a number and the next lower integer.
  private static func fractionDigits(of seconds: Double) -> String {
    // The shortest digits that identify this number.
    let parts = seconds.magnitude.description.split(separator: "e", maxSplits: 1)
    let number = (parts.first ?? "0").split(separator: ".", maxSplits: 1)
    var digits = number.count == 2 && number[1] != "0" ? String(number[1]) : ""
    if parts.count == 2, let exponent = Int(parts[1]), exponent < 0 {
      digits = "\(String(repeating: "0", count: -exponent - 1))\(number.first ?? "")\(digits)"
    }
    if seconds >= 0 || digits.isEmpty { return digits }
    var complement = digits.utf8.map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
    // The last digit is never zero.
    complement[complement.count - 1] += 1
    return String(decoding: complement, as: UTF8.self)
  }
}
