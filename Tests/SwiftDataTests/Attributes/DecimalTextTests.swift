import Foundation
import Testing

@testable import SwiftData
@testable import TestModels

@Suite("Decimals as text")
struct DecimalTextTests {
  /// Numbers of every size, the same in every run.
  private static let decimals: [Decimal] = {
    var generator = SplitMix(state: 42)
    let random = (0..<400).map { _ -> Decimal in
      let digits = Int.random(in: 1...38, using: &generator)
      let mantissa = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      let exponent = Int.random(in: -80...60, using: &generator)
      let sign = Bool.random(using: &generator) ? "-" : ""
      return Decimal(string: "\(sign)\(mantissa)e\(exponent)") ?? 0
    }
    let near = (-12...12).flatMap { [Decimal($0), Decimal($0) / 10, Decimal($0) * 10 + 1] }
    let edges: [Decimal] = [.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude]
    return random + near + edges
  }()

  @Test("A decimal is decoded from its text")
  func decimalIsDecoded() {
    for decimal in Self.decimals {
      #expect(DecimalText.decode(DecimalText.encode(decimal)) == decimal, "\(decimal)")
    }
  }

  @Test("Texts sort by bytes as their numbers do")
  func textsSortAsNumbers() {
    let sorted = Self.decimals.sorted()
    for (lower, higher) in zip(sorted, sorted.dropFirst()) {
      let texts = (Array(DecimalText.encode(lower).utf8), Array(DecimalText.encode(higher).utf8))
      if lower == higher {
        #expect(texts.0 == texts.1, "\(lower)")
      } else {
        #expect(texts.0.lexicographicallyPrecedes(texts.1), "\(lower) < \(higher)")
      }
    }
  }

  @Test(
    "Equal numbers have the same text",
    arguments: [("12.5", "12.50"), ("100", "1e2"), ("0", "-0"), ("0.001", "1e-3"), ("-7.0", "-7")])
  func equalNumbersHaveEqualTexts(first: String, second: String) throws {
    let texts = try [first, second].map { DecimalText.encode(try #require(Decimal(string: $0))) }
    #expect(texts[0] == texts[1])
  }

  @Test("A text that is no number is nil", arguments: ["", " ", "abc", "P502125", "P502125 x"])
  func invalidText(text: String) {
    #expect(DecimalText.decode(text) == nil)
  }

  @Test("A decimal in plain notation is decoded")
  func plainNotation() {
    #expect(DecimalText.decode("-12.50") == Decimal(string: "-12.5"))
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
