import Foundation

@testable import TestSupport

/// Values derived from a number, including extreme ones. Two numbers may have equal values, except names and codes.
enum Varied {
  private static let texts = [
    "", "plain", "Zürich", "e\u{301}t\u{e9}", "日本語のメモ", "👩‍👩‍👧 family", "line\nbreak\ttab", "it's \"quoted\"; -- %_",
    "İstanbul ıI ß", "مرحبا", String(repeating: "long ", count: 500),
  ]

  static func text(_ number: Int) -> String { texts[number % texts.count] }

  static func name(_ number: Int) -> String { "\(number) \(text(number))" }

  static func whole(_ number: Int) -> Int {
    let values: [Int] = [0, -1, 1, .min, .max, number * 1000, -number * number]
    return values[number % values.count]
  }

  static func real(_ number: Int) -> Double {
    let values: [Double] = [
      0, -1.5, 0.1, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, .infinity, Double(number) / 3,
    ]
    return values[number % values.count]
  }

  static func date(_ number: Int) -> Date {
    let values = [
      Date.distantPast, Date.distantFuture, Date(timeIntervalSinceReferenceDate: Double(number - 20) * 86_400.25),
    ]
    return values[number % values.count]
  }

  static func code(_ number: Int) -> UUID {
    let byte = UInt8(truncatingIfNeeded: number)
    return UUID(uuid: (byte, 255, 0, 1, 2, 3, 0x40, 5, 0x80, 7, 8, 9, 10, 11, 12, byte))
  }

  static func link(_ number: Int) -> URL? {
    maybe(number, "https://example.org/a%20b?number=\(number)#end").flatMap { URL(string: $0) }
  }

  /// For some numbers more than what is stored in a row.
  static func bytes(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number), count: number.isMultiple(of: 8) ? 128 * 1024 + number : number)
  }

  static func words(_ number: Int) -> [String] { (0..<number % 4).map { text(number + $0) } }

  static func maybe<Value>(_ number: Int, _ value: Value) -> Value? { number.isMultiple(of: 3) ? nil : value }
}
